export { type MariadbPool, mariadb } from './mariadb/mariadb.js';
export { PendingMigrationsError, SchemaMismatchError, SchemaTooNewError } from './migrations/errors.js';
export { migrate } from './migrations/migrate.js';
export { type MigrationSqlOptions, migrationSql } from './migrations/migration-sql.js';
export { MissingDriverError } from './missing-driver-error.js';
export { type PostgresOptions, type PostgresPool, postgres } from './postgres/postgres.js';
export type { SchemaDialect } from './schema/dialect.js';
export type { SqlDialect } from './schema/indexes.js';
export {
  type SqliteDatabase,
  type SqliteDatabaseOptions,
  type SqliteFileOptions,
  sqlite,
} from './sqlite/sqlite.js';
export type { SqlStoreOptions } from './store-options.js';
