import {
  type CursorPage,
  defineJob,
  type Job,
  type JobContext,
  type JobHandler,
  type JobStore,
  Monque,
  type MonqueEventMap,
  memory,
  type PersistedJob,
  type QueueStats,
} from '@monque/core';
import type { Db, ObjectId } from 'mongodb';
import { describe, expectTypeOf, test } from 'vitest';
import { z } from 'zod';

declare const db: Db;
declare const store: JobStore<bigint>;
declare const mongo: Monque;

const plain = defineJob<{ to: string }, number>('plain');
const parsed = defineJob('parsed', {
  schema: z.object({ at: z.string().transform((text) => new Date(text)) }),
});

describe('ids', () => {
  test('are ObjectIds on a Db', () => {
    expectTypeOf(new Monque(db)).toEqualTypeOf<Monque<ObjectId>>();
    expectTypeOf(mongo.enqueue('a', 1)).resolves.toEqualTypeOf<PersistedJob<number, ObjectId>>();
    expectTypeOf(mongo.enqueue('a', 1)).resolves.toEqualTypeOf<PersistedJob<number>>();
  });

  test('are strings in memory, and whatever another store says', () => {
    expectTypeOf(new Monque(memory())).toEqualTypeOf<Monque<string>>();
    expectTypeOf(new Monque(store)).toEqualTypeOf<Monque<bigint>>();
    expectTypeOf(new Monque(memory()).enqueue('a', 1)).resolves.toEqualTypeOf<PersistedJob<number, string>>();
  });

  test('are taken in either form', () => {
    expectTypeOf(mongo.getJob).parameter(0).toEqualTypeOf<ObjectId | string>();
    expectTypeOf(mongo.cancelJob).parameter(0).toEqualTypeOf<ObjectId | string>();
    expectTypeOf(mongo.waitForJob).parameter(0).toEqualTypeOf<ObjectId | string>();
  });
});

describe('data', () => {
  test('comes from a definition', () => {
    expectTypeOf(mongo.enqueue(plain, { to: 'ada' })).resolves.toEqualTypeOf<PersistedJob<{ to: string }>>();
    expectTypeOf(mongo.now(plain, { to: 'ada' })).resolves.toEqualTypeOf<PersistedJob<{ to: string }>>();
    expectTypeOf(mongo.schedule('@daily', plain, { to: 'ada' })).resolves.toEqualTypeOf<
      PersistedJob<{ to: string }>
    >();
    // @ts-expect-error: not what the definition says
    void mongo.enqueue(plain, { to: 7 });
    // @ts-expect-error: not what the definition says
    void mongo.now(plain, {});
    // @ts-expect-error: not what the definition says
    void mongo.schedule('@daily', plain, 'ada');
  });

  test('is what a schema takes where it is enqueued, and what it gives in the handler', () => {
    expectTypeOf(mongo.enqueue(parsed, { at: '2030' })).resolves.toEqualTypeOf<
      PersistedJob<{ at: string }>
    >();
    // @ts-expect-error: the output of the schema is no input
    void mongo.enqueue(parsed, { at: new Date() });
    mongo.register(parsed, (job) => {
      expectTypeOf(job).toEqualTypeOf<PersistedJob<{ at: Date }>>();
    });
  });

  test('is the call’s own under a plain name', () => {
    expectTypeOf(mongo.enqueue('a', { n: 1 })).resolves.toEqualTypeOf<PersistedJob<{ n: number }>>();
    expectTypeOf(mongo.enqueue<{ n?: number }>('a', {})).resolves.toEqualTypeOf<
      PersistedJob<{ n?: number }>
    >();
  });

  test('of a query is unknown unless the caller says so', () => {
    expectTypeOf(mongo.getJob('id')).resolves.toEqualTypeOf<PersistedJob<unknown> | null>();
    expectTypeOf(mongo.getJob<{ n: number }>('id')).resolves.toEqualTypeOf<PersistedJob<{
      n: number;
    }> | null>();
    expectTypeOf(mongo.getJobs<{ n: number }>()).resolves.toEqualTypeOf<PersistedJob<{ n: number }>[]>();
    expectTypeOf(mongo.getJobsWithCursor()).resolves.toEqualTypeOf<CursorPage<unknown, ObjectId>>();
  });

  test('of many jobs is told one by one', () => {
    const jobs = mongo.enqueueMany([
      { name: 'a', data: 1 },
      { name: 'b', data: 'text' },
      { name: plain, data: { to: 'ada' } },
    ]);
    expectTypeOf(jobs).resolves.toEqualTypeOf<
      [PersistedJob<number>, PersistedJob<string>, PersistedJob<{ to: string }>]
    >();
    const same = [1, 2].map((n) => ({ name: 'a', data: { n } }));
    expectTypeOf(mongo.enqueueMany(same)).resolves.toEqualTypeOf<PersistedJob<{ n: number }>[]>();
    // @ts-expect-error: not what the definition says
    void mongo.enqueueMany([{ name: plain, data: { to: 7 } }]);
  });
});

describe('handlers', () => {
  test('get the definition’s data and must return its result', () => {
    mongo.register(plain, (job, context) => {
      expectTypeOf(job).toEqualTypeOf<PersistedJob<{ to: string }>>();
      expectTypeOf(context).toEqualTypeOf<JobContext<ObjectId>>();
      return 7;
    });
    mongo.worker(plain, async () => 7);
    // @ts-expect-error: the definition says that the result is a number
    mongo.register(plain, () => 'seven');
  });

  test('under a plain name get unknown data, or what the caller says', () => {
    mongo.register('a', (job) => {
      expectTypeOf(job.data).toEqualTypeOf<unknown>();
    });
    mongo.register<{ n: number }>('a', async (job) => {
      expectTypeOf(job.data).toEqualTypeOf<{ n: number }>();
    });
    const handler: JobHandler<{ n: number }> = (job) => job.data.n;
    mongo.worker('a', handler, { concurrency: 2, replace: true });
  });

  test('know the ids of their store', () => {
    new Monque(memory()).register('a', (job, { monque }) => {
      expectTypeOf(job._id).toEqualTypeOf<string>();
      expectTypeOf(monque).toEqualTypeOf<Monque<string>>();
    });
  });
});

describe('events', () => {
  test('are typed by their names', () => {
    mongo.on('job:complete', ({ job, duration }) => {
      expectTypeOf(job).toEqualTypeOf<PersistedJob<unknown, ObjectId>>();
      expectTypeOf(duration).toEqualTypeOf<number>();
    });
    mongo.once('job:start', (job) => {
      expectTypeOf(job).toEqualTypeOf<PersistedJob<unknown, ObjectId>>();
    });
    mongo.on('changestream:connected', () => undefined);
    expectTypeOf<MonqueEventMap['job:error']>().toEqualTypeOf<
      [event: { error: Error; job?: PersistedJob<unknown, ObjectId> }]
    >();
  });
});

describe('nothing is any', () => {
  test('in what methods answer', () => {
    type Answers = {
      [K in keyof Monque]: Monque[K] extends (...args: never[]) => Promise<infer Answer> ? Answer : never;
    };
    expectTypeOf<Answers['enqueue']>().not.toBeAny();
    expectTypeOf<Answers['enqueueMany']>().not.toBeAny();
    expectTypeOf<Answers['getJob']>().not.toBeAny();
    expectTypeOf<Answers['getJobs']>().not.toBeAny();
    expectTypeOf<Answers['getJobsWithCursor']>().not.toBeAny();
    expectTypeOf<Answers['getQueueStats']>().toEqualTypeOf<QueueStats>();
    expectTypeOf<Answers['getQueueViewSummaries']>().not.toBeAny();
    expectTypeOf<Answers['cancelJob']>().not.toBeAny();
    expectTypeOf<Answers['waitForJob']>().not.toBeAny();
    expectTypeOf<Answers['drain']>().not.toBeAny();
  });

  test('in a job', () => {
    expectTypeOf<Job['data']>().toBeUnknown();
    expectTypeOf<Job['result']>().toBeUnknown();
    expectTypeOf<PersistedJob['_id']>().toEqualTypeOf<ObjectId>();
  });
});

test('an instance of any store is an AsyncDisposable', () => {
  expectTypeOf<Monque<string>>().toExtend<AsyncDisposable>();
});
