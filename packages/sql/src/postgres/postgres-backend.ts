import { createHash } from 'node:crypto';
import { Kysely, PostgresDialect } from 'kysely';
import type pg from 'pg';
import type { Backend, Inside } from '../backend.js';
import { claimOnceMore, nextOnceMore } from '../claim/once-more.js';
import { nextTextByBytes, WaitingTexts } from '../claim/waiting-texts.js';
import type { SqlContext } from '../context.js';
import { isKyselyTransaction, sendTo } from '../kysely-session.js';
import { openSchema } from '../migrations/open-schema.js';
import { ask, type Operation, runAwaiting } from '../operation.js';
import { WaitingJobs } from '../operations/waiting-jobs.js';
import { parseTime } from '../rows/times.js';
import type { TypeNames } from '../rows/type-names.js';
import { PostgresClaims } from './claim.js';
import { NEXT_PLAIN, NEXT_RANKED, NEXT_TEXT } from './due-statements.js';
import { send, toArray } from './pg-driver.js';
import { PostgresDatabase } from './postgres-database.js';
import { postgresDialect } from './postgres-dialect.js';
import { postgresNotices } from './postgres-notices.js';
import { postgresSession } from './postgres-session.js';
import { postgresWriter } from './postgres-writer.js';
import { watch } from './watch.js';

/** How to open. */
interface PostgresBackendOptions {
  readonly names: TypeNames;
  readonly autoMigrate: boolean;
  readonly prepare: boolean;
  /** Makes a connection beside the pool. */
  connect(): pg.Client;
  close(): Promise<void>;
}

/** Makes the schema ready and puts the parts of an open store together. */
export async function postgresBackend(
  pool: pg.Pool,
  { names, autoMigrate, prepare, connect, close }: PostgresBackendOptions,
): Promise<Backend> {
  await openSchema(new Kysely({ dialect: new PostgresDialect({ pool }) }), 'postgres', { autoMigrate });
  const database = new PostgresDatabase(pool, prepare);
  const channel = await database.run(channelName);
  const context: SqlContext = {
    dialect: postgresDialect,
    database,
    names,
    notices: postgresNotices(channel),
    waiting: new WaitingJobs(postgresDialect),
  };
  const writer = postgresWriter(channel);
  const texts = new WaitingTexts(names, nextTextByBytes(NEXT_TEXT));
  const claims = new PostgresClaims(context, texts);
  const inside: Inside = { context, writer };

  return {
    ...inside,
    now: () => database.run(serverTime),
    claim: (request) => claimOnceMore(texts, request, () => claims.claim(request)),
    nextDueAt: (wanted, after) =>
      nextOnceMore(texts, wanted, () => database.run(() => nextDueAt(texts, wanted, after))),
    watch: (observer) => watch(connect, channel, observer),
    async inSession<T>(session: unknown, operation: (inside: Inside) => Operation<T>): Promise<T> {
      if (isKyselyTransaction(session, 'postgres')) return runAwaiting(operation(inside), sendTo(session));
      const client = postgresSession(session);
      return runAwaiting(operation(inside), (query) => send(client, query));
    },
    close,
  };
}

function* serverTime(): Operation<Date> {
  const { rows } = yield* ask({
    sql: `SELECT date_trunc('milliseconds', clock_timestamp())`,
    parameters: [],
  });
  return parseTime(rows[0]?.[0]) ?? new Date();
}

/** When the next job of these names becomes due. Index: that of due-statements.ts. */
function* nextDueAt(texts: WaitingTexts, names: readonly string[], after: Date): Operation<Date | undefined> {
  const sources = yield* texts.of(names);
  const time = after.toISOString();
  const wanted = toArray(sources.map(({ text }) => text));
  const { rows } = yield* ask({ sql: NEXT_PLAIN, parameters: [wanted, time] });
  const plain = parseTime(rows[0]?.[0]);
  const ranked = rows.flatMap(([, text]) => (typeof text === 'string' ? [text] : []));
  if (ranked.length === 0) return plain;
  const other = yield* ask({ sql: NEXT_RANKED, parameters: [toArray(ranked), time] });
  const next = parseTime(other.rows[0]?.[0]);
  return plain === undefined || (next !== undefined && next < plain) ? next : plain;
}

/** Messages go through the whole database, and several schemas of it may have tables of their own. */
function* channelName(): Operation<string> {
  const { rows } = yield* ask({ sql: 'SELECT current_schema()', parameters: [] });
  const schema = String(rows[0]?.[0]);
  if (schema === 'public') return 'monque_jobs';
  const name = `monque_jobs_${schema}`;
  if (Buffer.byteLength(name) <= LONGEST_NAME) return name;
  return `monque_jobs_${createHash('sha256').update(schema).digest('hex').slice(0, 32)}`;
}

/** Of an identifier, in bytes. */
const LONGEST_NAME = 63;
