import { WatchUnsupportedError } from '@monque/core';
import { Kysely, MysqlDialect } from 'kysely';
import type { Pool as CallbackPool } from 'mysql2';
import type { Pool } from 'mysql2/promise';
import type { Backend, Inside } from '../backend.js';
import { WaitingTexts } from '../claim/waiting-texts.js';
import type { SqlContext } from '../context.js';
import { isKyselyTransaction, sendTo } from '../kysely-session.js';
import { openSchema } from '../migrations/open-schema.js';
import { NO_NOTICES } from '../notices.js';
import { ask, type Operation, runAwaiting } from '../operation.js';
import { WaitingJobs } from '../operations/waiting-jobs.js';
import { parseTime } from '../rows/times.js';
import type { TypeNames } from '../rows/type-names.js';
import { MariadbClaims } from './claim.js';
import { groupsOf } from './groups.js';
import { MariadbDatabase } from './mariadb-database.js';
import { mariadbDialect } from './mariadb-dialect.js';
import { mariadbSession } from './mariadb-session.js';
import { mariadbWriter } from './mariadb-writer.js';
import { send } from './mysql-driver.js';

/** How to open. */
interface MariadbBackendOptions {
  readonly names: TypeNames;
  readonly autoMigrate: boolean;
  /** The same pool with callbacks, as Kysely takes it. */
  readonly callbackPool: CallbackPool;
  close(): Promise<void>;
}

/** Makes the schema ready and puts the parts of an open store together. */
export async function mariadbBackend(
  pool: Pool,
  { names, autoMigrate, callbackPool, close }: MariadbBackendOptions,
): Promise<Backend> {
  await openSchema(new Kysely({ dialect: new MysqlDialect({ pool: callbackPool }) }), 'mariadb', {
    autoMigrate,
  });
  const database = new MariadbDatabase(pool);
  const context: SqlContext = {
    dialect: mariadbDialect,
    database,
    names,
    notices: NO_NOTICES,
    waiting: new WaitingJobs(mariadbDialect),
  };
  const texts = new WaitingTexts(names, (after, before) => ({ sql: NEXT_TEXT, parameters: [after, before] }));
  const claims = new MariadbClaims(context, texts);
  const inside: Inside = { context: { ...context, inUserTransaction: true }, writer: mariadbWriter };

  return {
    context,
    writer: mariadbWriter,
    now: () => database.run(serverTime),
    claim: (request) => claims.claim(request),
    nextDueAt: (wanted, after) => database.run(() => nextDueAt(texts, wanted, after)),
    async watch() {
      throw new WatchUnsupportedError(
        'MariaDB and MySQL tell nobody of changes: jobs are looked for instead',
      );
    },
    async inSession<T>(session: unknown, operation: (inside: Inside) => Operation<T>): Promise<T> {
      if (isKyselyTransaction(session, 'mariadb')) return runAwaiting(operation(inside), sendTo(session));
      const connection = mariadbSession(session);
      return runAwaiting(operation(inside), (query) => send(connection, query));
    },
    close,
  };
}

function* serverTime(): Operation<Date> {
  const { rows } = yield* ask({ sql: 'SELECT CAST(UTC_TIMESTAMP(3) AS CHAR)', parameters: [] });
  return parseTime(rows[0]?.[0]) ?? new Date();
}

/** The first text of waiting jobs between two others. Index: IX_Monque_Jobs_Due. */
const NEXT_TEXT = `SELECT MIN(\`TypeName\`) FROM \`Jobs\` FORCE INDEX (\`IX_Monque_Jobs_Due\`)
WHERE \`State\` IN (1, 4) AND \`TypeName\` > ? AND \`TypeName\` < ?`;

/** When the next job of these names becomes due. Index: IX_Monque_Jobs_Due. */
function* nextDueAt(texts: WaitingTexts, names: readonly string[], after: Date): Operation<Date | undefined> {
  const groups = yield* groupsOf(yield* texts.of(names), after);
  const times = groups.flatMap(({ first }) => first?.getTime() ?? []);
  return times.length === 0 ? undefined : new Date(Math.min(...times));
}
