import { Monque } from '@monque/core';
import { describe, expect, test, vi } from 'vitest';
import { openStore, type StoreAddress } from '../processes/fixtures/settings.js';
import { sharedDatabase } from '../processes/shared-database.js';
import { documentedQueries, jobSharpQueries } from './documented-queries.js';
import { connectTo, type JobSharpDatabase, makeJobSharpDatabase, readRows } from './jobsharp-database.js';
import {
  batchOf,
  EMAIL,
  IMAGE,
  type JobSharpRow,
  jobSharpRows,
  MAPPED,
  recurringRows,
  UNKNOWN,
} from './jobsharp-rows.js';
import { knownAnswers } from './known-answers.js';

interface Payload {
  readonly number: number;
}

/** Images with these numbers cannot be resized, however often it is tried. */
const isBroken = (data: Payload | null) => data !== null && data.number % 5 === 0;

describe.each(['sqlite', 'postgres', 'mariadb'] as const)('a database of JobSharp on %s', (dialect) => {
  const address = sharedDatabase(dialect);

  test('is adopted, its jobs run to the end, and every row is accounted for', {
    timeout: 300_000,
  }, async () => {
    const now = new Date(Math.floor(Date.now() / 1_000) * 1_000);
    const rows = jobSharpRows(now);
    expect(new Set(rows.map(({ State }) => State)).size).toBe(9);
    const database = await makeJobSharpDatabase(address);
    for (const row of rows) await database.insert('Jobs', { ...row });
    for (const row of recurringRows(now)) await database.insert('RecurringJobs', row);
    const before = await readRows(database, address);
    expect([...before.values()].toSorted(byId)).toEqual(rows);
    await checkQueries(database, dialect, before, now);

    await using monque = new Monque(openStore(address, { typeNames: MAPPED }), {
      baseRetryInterval: 1,
      safetyPollInterval: 1_000,
      statsCacheTtlMs: 0,
      workerConcurrency: 20,
    });
    const errors: Error[] = [];
    const runs = new Map<string, number>();
    monque.on('job:error', ({ error }) => errors.push(error));
    monque.register<Payload | null>('send-email', (job) => {
      runs.set(job._id, (runs.get(job._id) ?? 0) + 1);
    });
    monque.register<Payload | null>('resize-image', (job) => {
      if (isBroken(job.data)) throw new Error('the image is broken');
    });
    await monque.initialize();
    await checkQueries(database, dialect, await readRows(database, address), now);

    monque.start();
    const expected = new Map(rows.map((row) => [row.Id, finalState(row, now)]));
    await reached(database, address, expected);

    const after = await readRows(database, address);
    for (const row of rows) {
      const end = after.get(row.Id);
      // What nothing maps, and what was not due, is as it was, to the last column that was added.
      if (row.TypeName === UNKNOWN || expected.get(row.Id) === row.State) expect(end).toMatchObject(row);
      if (row.TypeName === EMAIL && isDue(row, now)) expect(runs.get(row.Id)).toBe(1);
      expect(end).toMatchObject({
        TypeName: row.TypeName,
        Arguments: row.Arguments,
        CreatedAt: row.CreatedAt,
      });
    }
    await checkQueries(database, dialect, after, now);
    expect(errors).toEqual([]);

    const shown = async (text: string) => (await monque.getJob(idOfType(rows, text)))?.name;
    expect(await shown(EMAIL)).toBe('send-email');
    expect(await shown(IMAGE)).toBe('resize-image');
    expect(await shown(UNKNOWN)).toBe(UNKNOWN);

    await checkMaintenance(database, address, now, expected);
  });

  test('takes an INSERT that names its columns only for a job, and runs it', {
    timeout: 120_000,
  }, async () => {
    const { change } = await connectTo(address);
    await using monque = new Monque(openStore(address), { safetyPollInterval: 1_000 });
    const ran = new Map<string, unknown>();
    monque.register('greet', (job) => {
      ran.set(job._id, job.data);
      return { ok: true };
    });
    await monque.initialize();
    monque.start();

    const q = dialect === 'mariadb' ? '`' : '"';
    const columns = 'Id TypeName Arguments State CreatedAt ScheduledAt RetryCount MaxRetryCount'
      .split(' ')
      .map((name) => `${q}${name}${q}`)
      .join(', ');
    const time = { sqlite: `datetime('now')`, postgres: 'now()', mariadb: 'UTC_TIMESTAMP(6)' }[dialect];
    const values = [
      `('11111111-1111-4111-8111-111111111111', 'greet', '{"name":"Ada"}', 1, ${time}, ${time}, 0, 3)`,
      `('22222222-2222-4222-8222-222222222222', 'greet', '[1,2]', 1, ${time}, NULL, 0, 0)`,
    ];
    await change(`INSERT INTO ${q}Jobs${q} (${columns}) VALUES ${values.join(', ')}`);
    await vi.waitFor(() => expect(ran.size).toBe(2), { timeout: 50_000, interval: 50 });
    expect(ran.get('11111111-1111-4111-8111-111111111111')).toEqual({ name: 'Ada' });
    expect(ran.get('22222222-2222-4222-8222-222222222222')).toEqual([1, 2]);
    await vi.waitFor(
      async () =>
        expect(await monque.getJob('11111111-1111-4111-8111-111111111111')).toMatchObject({
          status: 'completed',
          result: { ok: true },
        }),
      { timeout: 50_000, interval: 50 },
    );
  });
});

test('the documented queries for SQLite are those of JobSharp, word for word', () => {
  const words = (query: string) => query.replace(/\s+/g, ' ').trim();
  expect(Object.values(documentedQueries('sqlite')).map(words)).toEqual(jobSharpQueries().map(words));
});

/** Compares what the documented queries answer with what the rows say. */
async function checkQueries(
  database: JobSharpDatabase,
  dialect: StoreAddress['dialect'],
  rows: ReadonlyMap<string, JobSharpRow>,
  now: Date,
): Promise<void> {
  const queries = documentedQueries(dialect);
  const known = knownAnswers([...rows.values()], now.getTime());
  const ids = async (query: string, parameter?: string) =>
    (await database.query(query, parameter)).map(({ Id }) => String(Id)).toSorted();
  const number = async (query: string) => Number(Object.values((await database.query(query))[0] ?? {})[0]);
  const counts = async (query: string, key: string) =>
    new Map((await database.query(query)).map((row) => [row[key], Number(row.Count)]));

  expect(await ids(queries.ready)).toEqual(known.ready);
  for (const batch of [batchOf(0), batchOf(3)]) {
    expect(await ids(queries.batch, batch)).toEqual(known.batch(batch));
    expect(known.batch(batch)).toHaveLength(10);
  }
  const parent = [...rows.values()].find(({ State }) => State === 7)?.ParentJobId ?? '';
  expect(await ids(queries.continuations, parent)).toEqual(known.continuations(parent));
  expect(known.continuations(parent)).toHaveLength(1);
  expect(await ids(queries.recurring)).toEqual(['due', 'new']);
  expect(await counts(queries.byState, 'State')).toEqual(known.byState);
  expect(await counts(queries.byType, 'TypeName')).toEqual(known.byType);
  expect(await number(queries.failedLately)).toBe(known.failedLately);
  expect(await number(queries.readyCount)).toBe(known.readyCount);
  expect(await number(queries.runningCount)).toBe(known.runningCount);
  // Whole seconds on some, fractions on others.
  expect(Math.abs((await number(queries.averageSeconds)) - known.averageSeconds)).toBeLessThan(1);
}

/** The queries that write, while the engine runs. */
async function checkMaintenance(
  database: JobSharpDatabase,
  address: StoreAddress,
  now: Date,
  states: ReadonlyMap<string, number>,
): Promise<void> {
  const queries = documentedQueries(address.dialect);
  const known = async () => {
    const rows = await readRows(database, address);
    return { rows, ...knownAnswers([...rows.values()], now.getTime()) };
  };

  const { reset, rows } = await known();
  expect(reset.length).toBeGreaterThan(20);
  expect(await database.change(queries.reset)).toBe(reset.length);
  const expected = new Map(states);
  for (const id of reset) {
    const row = rows.get(id) as JobSharpRow;
    expected.set(id, row.TypeName === UNKNOWN ? 1 : endOf(row));
  }
  await reached(database, address, expected);

  const { removeSucceeded, removeAbandoned } = await known();
  expect(removeSucceeded).toBeGreaterThan(20);
  expect(removeAbandoned).toBeGreaterThan(20);
  expect(await database.change(queries.removeSucceeded)).toBe(removeSucceeded);
  expect(await database.change(queries.removeAbandoned)).toBe(removeAbandoned);
  expect((await known()).rows.size).toBe(expected.size - removeSucceeded - removeAbandoned);
}

/** Waits until every row is in its state; shows the first that are not. */
async function reached(
  database: JobSharpDatabase,
  address: StoreAddress,
  states: ReadonlyMap<string, number>,
): Promise<void> {
  await vi.waitFor(
    async () => {
      const rows = [...(await readRows(database, address)).values()];
      expect(rows).toHaveLength(states.size);
      expect(rows.filter(({ Id, State }) => states.get(Id) !== State).slice(0, 5)).toEqual([]);
    },
    { timeout: 100_000, interval: 250 },
  );
}

/** The state in which a row ends once everything that is due has run. */
function finalState(row: JobSharpRow, now: Date): number {
  return isDue(row, now) ? endOf(row) : row.State;
}

/** Waiting and due, or left by a process that died; and of a type that is mapped. */
function isDue({ TypeName, State, ScheduledAt }: JobSharpRow, now: Date): boolean {
  if (TypeName === UNKNOWN) return false;
  if (State === 2) return true;
  return (State === 1 || State === 4) && (ScheduledAt === null || ScheduledAt <= now);
}

function endOf({ TypeName, Arguments }: JobSharpRow): number {
  const data = Arguments === null ? null : (JSON.parse(Arguments) as Payload);
  return TypeName === IMAGE && isBroken(data) ? 6 : 3;
}

function idOfType(rows: readonly JobSharpRow[], text: string): string {
  return rows.find(({ TypeName }) => TypeName === text)?.Id ?? '';
}

function byId(one: JobSharpRow, other: JobSharpRow): number {
  return one.Id < other.Id ? -1 : 1;
}
