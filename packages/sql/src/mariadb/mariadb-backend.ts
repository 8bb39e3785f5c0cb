import { WatchUnsupportedError } from '@monque/core';
import { Kysely, MysqlDialect } from 'kysely';
import type { Pool as CallbackPool } from 'mysql2';
import type { Pool } from 'mysql2/promise';
import type { Backend, Inside } from '../backend.js';
import { claimOnceMore, nextOnceMore } from '../claim/once-more.js';
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
import { type Group, groupsOf } from './groups.js';
import { MariadbDatabase } from './mariadb-database.js';
import { mariadbDialect } from './mariadb-dialect.js';
import { mariadbSession } from './mariadb-session.js';
import { mariadbWriter } from './mariadb-writer.js';
import { send } from './mysql-driver.js';
import { nameCondition } from './name-condition.js';
import { nextText } from './next-text.js';

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
  const texts = new WaitingTexts(names, nextText);
  const named = await database.run(nameCondition);
  const claims = new MariadbClaims(context, texts, named);
  const inside: Inside = { context: { ...context, inUserTransaction: true }, writer: mariadbWriter };

  return {
    context,
    writer: mariadbWriter,
    now: () => database.run(serverTime),
    claim: (request) => claimOnceMore(texts, request, () => claims.claim(request)),
    nextDueAt: (wanted, after) =>
      nextOnceMore(texts, wanted, () =>
        database.run(function* () {
          return firstOf(yield* groupsOf(yield* texts.of(wanted), named, after));
        }),
      ),
    async watch() {
      throw new WatchUnsupportedError(
        'MariaDB and MySQL tell nobody of changes: jobs are looked for instead',
      );
    },
    async inSession<T>(session: unknown, operation: (inside: Inside) => Operation<T>): Promise<T> {
      if (isKyselyTransaction(session, 'mariadb')) return runAwaiting(operation(inside), sendTo(session));
      const connection = await mariadbSession(session);
      return runAwaiting(operation(inside), (query) => send(connection, query));
    },
    close,
  };
}

function* serverTime(): Operation<Date> {
  const { rows } = yield* ask({ sql: 'SELECT CAST(UTC_TIMESTAMP(3) AS CHAR)', parameters: [] });
  return parseTime(rows[0]?.[0]) ?? new Date();
}

/** When the first job of these groups is due. */
function firstOf(groups: readonly Group[]): Date | undefined {
  const times = groups.flatMap(({ first }) => first?.getTime() ?? []);
  return times.length === 0 ? undefined : new Date(Math.min(...times));
}
