import { realpathSync } from 'node:fs';
import type { ClaimRequest, ClaimResult } from '@monque/core';
import type BetterSqlite3 from 'better-sqlite3';
import { Kysely, SqliteDialect } from 'kysely';
import type { Backend, Inside } from '../backend.js';
import { claimOnceMore, nextOnceMore } from '../claim/once-more.js';
import { nextTextByBytes, WaitingTexts } from '../claim/waiting-texts.js';
import type { SqlContext } from '../context.js';
import { isKyselyTransaction, sendTo } from '../kysely-session.js';
import { openSchema } from '../migrations/open-schema.js';
import { NO_NOTICES } from '../notices.js';
import { ask, type Operation, runAtOnce, runAwaiting } from '../operation.js';
import { WaitingJobs } from '../operations/waiting-jobs.js';
import { parseTime } from '../rows/times.js';
import type { TypeNames } from '../rows/type-names.js';
import { channelOf } from './channel.js';
import { claim, isAnythingDue } from './claim.js';
import { NEXT_TEXT } from './due-statements.js';
import { HeldClaims } from './held-claims.js';
import { nextDueAt } from './next-due.js';
import { SqliteConnection } from './sqlite-connection.js';
import { sqliteDialect } from './sqlite-dialect.js';
import { sqliteNotices } from './sqlite-notices.js';
import { sqliteSession } from './sqlite-session.js';
import { sqliteWriter } from './sqlite-writer.js';
import { watch } from './watch.js';

/** How to open. */
interface SqliteBackendOptions {
  readonly names: TypeNames;
  readonly autoMigrate: boolean;
  /** Whether the connection was opened here, and is to be closed with the store. */
  readonly isOwn: boolean;
}

/** Makes the schema ready and puts the parts of an open store together. */
export async function sqliteBackend(
  database: BetterSqlite3.Database,
  { names, autoMigrate, isOwn }: SqliteBackendOptions,
): Promise<Backend> {
  const connection = new SqliteConnection(database, !isOwn);
  await inTurn(database, async () => {
    await connection.untilIdle();
    return openSchema(new Kysely({ dialect: new SqliteDialect({ database }) }), 'sqlite', { autoMigrate });
  });
  const channel = channelOf(database, database.memory ? '' : realpathSync(database.name));
  const held = new HeldClaims();
  const notices = sqliteNotices(connection, channel, held);
  const context: SqlContext = {
    dialect: sqliteDialect,
    database: connection,
    names,
    notices,
    waiting: new WaitingJobs(sqliteDialect),
  };
  const writer = sqliteWriter(notices);
  const texts = new WaitingTexts(names, nextTextByBytes(NEXT_TEXT));
  /** For transactions on other connections: when they commit, the file's version tells of them. */
  const quietly: Inside = { context: { ...context, notices: NO_NOTICES }, writer: sqliteWriter(NO_NOTICES) };

  const take = async (request: ClaimRequest): Promise<ClaimResult<string>> => {
    if (!(await connection.run(() => isAnythingDue(texts, request)))) return { jobs: [], more: false };
    const result = await connection.transact(() => claim(context, texts, request));
    held.add(request.token, result.jobs);
    return result;
  };

  return {
    context,
    writer,
    now: () => connection.run(serverTime),
    claim: (request) => claimOnceMore(texts, request, () => take(request)),
    nextDueAt: (wanted, after) =>
      nextOnceMore(texts, wanted, () => connection.run(() => nextDueAt(texts, wanted, after))),
    watch: async (observer) => watch(connection, channel, held, observer),
    ended: (claims) => held.ended(claims),
    async inSession<T>(session: unknown, operation: (inside: Inside) => Operation<T>): Promise<T> {
      if (isKyselyTransaction(session, 'sqlite')) {
        return runAwaiting(operation(quietly), sendTo(session));
      }
      const given = sqliteSession(session);
      if (given !== database) return runAtOnce(operation(quietly), new SqliteConnection(given).send);
      const value = runAtOnce(operation({ context, writer }), connection.send);
      void connection.untilIdle().catch(() => undefined);
      return value;
    },
    async close() {
      if (isOwn) database.close();
    },
  };
}

function* serverTime(): Operation<Date> {
  const { rows } = yield* ask({ sql: `SELECT strftime('%Y-%m-%d %H:%M:%f', 'now')`, parameters: [] });
  return parseTime(rows[0]?.[0]) ?? new Date();
}

const turns = new WeakMap<object, Promise<unknown>>();

/** One after the other on one connection, which can be in one transaction only. */
function inTurn<T>(database: object, work: () => Promise<T>): Promise<T> {
  const turn = (turns.get(database) ?? Promise.resolve()).then(work);
  turns.set(
    database,
    turn.catch(() => undefined),
  );
  return turn;
}
