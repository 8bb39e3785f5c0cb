import type { Insert, Inserted } from '@monque/core';
import { ConnectionError, memory } from '@monque/core';
import { beforeEach, describe, expect, test } from 'vitest';
import { InsertCoalescer } from '../../src/intake/insert-coalescer.js';

/** A store that answers when it is told to. */
class HeldStore {
  readonly #store = memory();
  readonly batches: (readonly Insert[])[] = [];
  readonly #held: (() => void)[] = [];
  #held0 = true;
  failWith: ((inserts: readonly Insert[]) => Error | undefined) | undefined;

  async insert(inserts: readonly Insert[]): Promise<Inserted<string>[]> {
    this.batches.push(inserts);
    if (this.#held0) await new Promise<void>((resolve) => this.#held.push(resolve));
    const error = this.failWith?.(inserts);
    if (error !== undefined) throw error;
    return this.#store.insert(inserts);
  }

  /** Lets the oldest insert that waits go on. */
  answerOne(): void {
    this.#held.shift()?.();
  }

  /** Lets all inserts go on, also later ones. */
  answerAll(): void {
    this.#held0 = false;
    for (const resolve of this.#held.splice(0)) resolve();
  }

  get sizes(): number[] {
    return this.batches.map((batch) => batch.length);
  }
}

const AT = new Date('2030-01-01T00:00:00Z');

function insertOf(name: string): Insert {
  const job = { name, data: null, status: 'pending', nextRunAt: AT, createdAt: AT } as const;
  return { job, onDuplicate: 'keep' };
}

/** All microtasks that are due now have run when this resolves. */
const settled = () => new Promise((resolve) => setImmediate(resolve));

describe('calls that are in flight together', () => {
  let store: HeldStore;
  let coalescer: InsertCoalescer<string>;
  beforeEach(() => {
    store = new HeldStore();
    coalescer = new InsertCoalescer(store);
  });
  const insertMany = (count: number, bytes = 10) =>
    Array.from({ length: count }, (_, n) => coalescer.insert(insertOf(`job-${n}`), bytes));

  test('a lone call goes out at once, before any timer', async () => {
    const [answer] = insertMany(1);
    await Promise.resolve();
    expect(store.sizes).toEqual([1]);
    store.answerAll();
    expect((await answer)?.job.name).toBe('job-0');
  });

  test('calls of one turn share an insert, and each gets its own answer', async () => {
    const answers = insertMany(50);
    await settled();
    expect(store.sizes).toEqual([50]);
    store.answerAll();
    const names = (await Promise.all(answers)).map(({ job }) => job.name);
    expect(names).toEqual(Array.from({ length: 50 }, (_, n) => `job-${n}`));
  });

  test('two inserts are under way at most, and what comes meanwhile shares the next', async () => {
    const answers = insertMany(1);
    await settled();
    answers.push(...insertMany(1));
    await settled();
    for (let n = 0; n < 10; n++) {
      answers.push(...insertMany(1));
      await settled();
    }
    expect(store.sizes).toEqual([1, 1]);
    store.answerOne();
    await settled();
    expect(store.sizes).toEqual([1, 1, 10]);
    store.answerAll();
    await Promise.all(answers);
  });

  test('an insert carries at most 500 jobs', async () => {
    const answers = insertMany(1_200);
    store.answerAll();
    await Promise.all(answers);
    expect(store.sizes).toEqual([500, 500, 200]);
  });

  test('an insert carries at most 8 MB, but a larger job travels alone', async () => {
    const MB = 1024 * 1024;
    const answers = [...insertMany(3, 3 * MB), ...insertMany(1, 12 * MB), ...insertMany(2, MB)];
    store.answerAll();
    await Promise.all(answers);
    expect(store.sizes).toEqual([2, 1, 1, 2]);
  });

  test('one bad job fails its own caller only', async () => {
    store.failWith = (inserts) =>
      inserts.some(({ job }) => job.name === 'job-3') ? new Error('Document failed validation') : undefined;
    const answers = insertMany(6);
    store.answerAll();
    const results = await Promise.allSettled(answers);
    expect(results.map(({ status }) => status)).toEqual(
      [0, 1, 2, 3, 4, 5].map((n) => (n === 3 ? 'rejected' : 'fulfilled')),
    );
    await expect(answers[3]).rejects.toThrow(ConnectionError);
    await expect(answers[3]).rejects.toThrow('Document failed validation');
  });

  test('a failure of the connection fails all of them, and nothing is sent again', async () => {
    store.failWith = () => Object.assign(new Error('connection 3 closed'), { name: 'MongoNetworkError' });
    const answers = insertMany(6);
    store.answerAll();
    const results = await Promise.allSettled(answers);
    expect(results.every(({ status }) => status === 'rejected')).toBe(true);
    expect(store.sizes).toEqual([6]);
  });

  test('calls that only ask for a key of an earlier one are answered with its job', async () => {
    const unique = (n: number, onDuplicate: 'keep' | 'replace') => {
      const { job } = insertOf('unique');
      return coalescer.insert({ job: { ...job, data: n, uniqueKey: 'k' }, onDuplicate }, 10);
    };
    const answers = [unique(0, 'keep'), unique(1, 'keep'), unique(2, 'replace'), unique(3, 'keep')];
    store.answerAll();
    const results = await Promise.all(answers);
    expect(results.map(({ outcome, job }) => [outcome, job.data])).toEqual([
      ['inserted', 0],
      ['existing', 0],
      ['replaced', 2],
      ['existing', 2],
    ]);
    expect(store.sizes).toEqual([2]);
  });

  test('held jobs with one key are all stored, since they do not occupy it', async () => {
    const { job } = insertOf('held');
    const held = { job: { ...job, status: 'created', uniqueKey: 'k' }, onDuplicate: 'keep' } as const;
    const answers = [coalescer.insert(held, 10), coalescer.insert(held, 10)];
    store.answerAll();
    expect((await Promise.all(answers)).map(({ outcome }) => outcome)).toEqual(['inserted', 'inserted']);
  });

  test('after a failure the next call goes out as ever', async () => {
    store.failWith = () => Object.assign(new Error('reset'), { code: 'ECONNRESET' });
    store.answerAll();
    await expect(insertMany(1)[0]).rejects.toThrow('reset');
    store.failWith = undefined;
    await expect(insertMany(1)[0]).resolves.toBeDefined();
  });
});
