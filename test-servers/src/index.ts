import { findMariadb } from './mariadb/find-mariadb.js';
import { startReplicaSet } from './mongodb/start-replica-set.js';
import { startStandalone } from './mongodb/start-standalone.js';
import { findPostgres } from './postgres/find-postgres.js';
import { startPostgres } from './postgres/start-postgres.js';

export type { MariadbServer } from './mariadb/find-mariadb.js';
export type { MongodProcess, MongoServer, MongoTopology } from './mongodb/mongo-server.js';
export type { PostgresServer } from './postgres/postgres-server.js';
export type { OwnPostgres } from './postgres/start-postgres.js';
export { ServerUnavailableError } from './server-unavailable-error.js';

/** MongoDB servers: `MONGODB_URI`, else what can be found or fetched. */
export const mongo = { standalone: startStandalone, replicaSet: startReplicaSet };

/** PostgreSQL servers. `find`: `DATABASE_URL`, else what can be found or fetched. `start`: one of the caller's own. */
export const postgres = { find: findPostgres, start: startPostgres };

/** The MariaDB server: `MARIADB_URL`, else the one on this machine. */
export const mariadb = { find: findMariadb };
