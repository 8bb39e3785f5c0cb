import { EventEmitter } from 'node:events';
import { type JobStore, Monque, MonqueError, memory } from '@monque/core';
import { testDatabase } from '@monque/test-servers/vitest';
import fc from 'fast-check';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { mongoStore } from '../../src/mongodb/mongo-store.js';
import { CALLS, WITHOUT_INPUT } from './calls.js';
import type { Maker } from './hostile-values.js';

type Method = keyof typeof CALLS;
const METHODS = Object.keys(CALLS) as Method[];
/** Methods that may change many jobs: what they did must be what a plain selector says. */
const BULK: readonly Method[] = ['cancelJobs', 'retryJobs', 'deleteJobs'];
/** Methods that store what they were given. */
const STORING: readonly Method[] = ['enqueue', 'now', 'enqueueMany', 'enqueueBatch', 'schedule'];
/** Methods that name one job, which never exists here. */
const BY_ID: readonly Method[] = [
  'getJob',
  'getJobLogs',
  'cancelJob',
  'retryJob',
  'rescheduleJob',
  'releaseJob',
  'deleteJob',
  'waitForJob',
  'getJobTree',
  'getBatch',
  'cancelBatch',
  'retryBatch',
];

test('every public method is called with hostile input', () => {
  const own: string[] = [];
  for (let each = Monque.prototype; each !== EventEmitter.prototype; each = Object.getPrototypeOf(each)) {
    own.push(...Object.getOwnPropertyNames(each).filter((name) => name !== 'constructor'));
  }
  expect([...METHODS, ...WITHOUT_INPUT].sort()).toEqual(own.sort());
});

const database = testDatabase();

describe.each([
  { title: 'in memory', store: (): JobStore => memory() as JobStore, runs: 300 },
  { title: 'on MongoDB', store: (): JobStore => mongoStore(database.db) as JobStore, runs: 60 },
])('Hostile input $title', ({ store: makeStore, runs }) => {
  let store: JobStore;
  let monque: Monque<unknown>;

  beforeAll(async () => {
    store = makeStore();
    monque = new Monque(store, { maxPayloadSize: 10_000 });
    await monque.initialize();
    await monque.enqueue('canary', { n: 0 }, { hold: true });
  });
  afterAll(() => monque.close());

  const stored = () => store.page({ filter: {}, by: 'id', direction: 'asc', limit: 1_000 });

  test.each(METHODS)(
    '%s answers or refuses, and harms nothing',
    async (method) => {
      const property = fc.asyncProperty(CALLS[method] as fc.Arbitrary<Maker[]>, async (makers) => {
        const args = makers.map((make) => make());
        const before = await stored();
        const call = monque[method] as (...args: unknown[]) => unknown;
        const answer = await outcomeOf(() => call.apply(monque, args));
        if ('refusal' in answer) {
          expect(answer.refusal).toBeInstanceOf(MonqueError);
          expect(await stored()).toEqual(before);
        } else if (BY_ID.includes(method)) {
          expect([null, false, undefined]).toContain(isEmpty(answer.value) ? null : answer.value);
        } else if (BULK.includes(method)) {
          expect(args[0]).toSatisfy(isPlainSelector);
        } else if (!STORING.includes(method)) {
          expect(await stored()).toEqual(before);
        }
        expect(Reflect.get({}, 'polluted')).toBeUndefined();
        const after = await stored();
        await store.remove(after.filter(({ name }) => name !== 'canary').map(({ _id }) => _id));
        const batches = await store.batches.page({ direction: 'asc', limit: 1_000 });
        for (const batch of batches) await store.batches.remove(batch);
        // A selector that means all jobs may have taken it, and said so.
        if (!after.some(({ name }) => name === 'canary')) {
          expect(BULK).toContain(method);
          await monque.enqueue('canary', { n: 0 }, { hold: true });
        }
      });
      await fc.assert(property, { numRuns: runs, interruptAfterTimeLimit: 15_000 });
    },
    60_000,
  );
});

/** What a call came to, whether it throws at once or later. */
async function outcomeOf(call: () => unknown): Promise<{ value: unknown } | { refusal: unknown }> {
  try {
    return { value: await call() };
  } catch (refusal) {
    return { refusal };
  }
}

function isEmpty(value: unknown): boolean {
  return Array.isArray(value) && value.length === 0;
}

/** Whether only texts, times and lists of texts decide which jobs are meant. */
function isPlainSelector(selector: unknown): boolean {
  if (typeof selector !== 'object' || selector === null) return false;
  return Object.values(selector).every(
    (value) =>
      typeof value === 'string' ||
      value instanceof Date ||
      (Array.isArray(value) && value.every((item) => typeof item === 'string')),
  );
}
