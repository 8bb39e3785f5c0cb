/** The interfaces and the example of the specification, word for word, beside what this package offers. */
import type {
  BulkOperationResult,
  CursorOptions,
  CursorPage,
  EnqueueOptions,
  GetJobsFilter,
  Job,
  JobSelector,
  JobStore,
  Monque,
  MonqueOptions,
  PersistedJob,
  QueueStats,
  ScheduleOptions,
  WorkerOptions,
} from '@monque/core';
import {
  Cron,
  type CronDecoratorOptions,
  type CronMetadata,
  Job as JobDecorator,
  MonqueModule,
  MonqueService,
  type MonqueTsedConfig,
  Worker,
  WorkerController,
  type WorkerDecoratorOptions,
  type WorkerMetadata,
  type WorkerMethods,
  type WorkerStore,
} from '@monque/tsed';
import { Configuration, type TokenProvider } from '@tsed/di';
import { MongooseService } from '@tsed/mongoose';
import type { Db, ObjectId } from 'mongodb';
import type { Connection } from 'mongoose';
import { describe, expectTypeOf, test } from 'vitest';

interface SeedConfig extends Omit<MonqueOptions, 'db'> {
  enabled?: boolean;
  db?: Db;
  dbFactory?: () => Promise<Db> | Db;
  dbToken?: TokenProvider<Db> | string;
}

interface SeedWorkerStore {
  type: 'controller';
  namespace?: string;
  workers: SeedWorkerMetadata[];
  cronJobs: SeedCronMetadata[];
}

interface SeedWorkerMetadata {
  name: string;
  method: string;
  opts: WorkerOptions;
}

interface SeedCronMetadata {
  pattern: string;
  name: string;
  method: string;
  opts: ScheduleOptions & { name?: string };
}

type SeedWorkerMethods<T = unknown, R = unknown> = (job: Job<T>) => R | Promise<R>;

interface SeedMonqueService {
  get monque(): Monque;
  enqueue<T>(name: string, data: T, options?: EnqueueOptions): Promise<PersistedJob<T>>;
  now<T>(name: string, data: T): Promise<PersistedJob<T>>;
  schedule<T>(cron: string, name: string, data: T, options?: ScheduleOptions): Promise<PersistedJob<T>>;
  cancelJob(jobId: string): Promise<PersistedJob<unknown> | null>;
  retryJob(jobId: string): Promise<PersistedJob<unknown> | null>;
  rescheduleJob(jobId: string, runAt: Date): Promise<PersistedJob<unknown> | null>;
  deleteJob(jobId: string): Promise<boolean>;
  cancelJobs(filter: JobSelector): Promise<BulkOperationResult>;
  retryJobs(filter: JobSelector): Promise<BulkOperationResult>;
  deleteJobs(filter: JobSelector): Promise<BulkOperationResult>;
  getJob<T>(jobId: string | ObjectId): Promise<PersistedJob<T> | null>;
  getJobs<T>(filter?: GetJobsFilter): Promise<PersistedJob<T>[]>;
  getJobsWithCursor<T>(options?: CursorOptions): Promise<CursorPage<T>>;
  getQueueStats(filter?: Pick<JobSelector, 'name'>): Promise<QueueStats>;
  isHealthy(): boolean;
}

describe('what is written for the specification compiles', () => {
  test('a configuration', () => {
    expectTypeOf<SeedConfig>().toExtend<MonqueTsedConfig>();
  });

  test('metadata and options', () => {
    expectTypeOf<SeedWorkerStore>().toExtend<WorkerStore>();
    expectTypeOf<WorkerMetadata['name']>().toEqualTypeOf<string>();
    expectTypeOf<SeedWorkerMetadata>().toExtend<WorkerMetadata>();
    expectTypeOf<CronMetadata>().toEqualTypeOf<{
      pattern: string;
      name: string;
      method: string;
      opts: CronDecoratorOptions;
    }>();
    expectTypeOf<SeedCronMetadata>().toExtend<CronMetadata>();
    expectTypeOf<WorkerOptions>().toExtend<WorkerDecoratorOptions>();
  });

  test('a handler', () => {
    expectTypeOf<SeedWorkerMethods<{ to: string }, void>>().toExtend<WorkerMethods<{ to: string }, void>>();
  });

  test('a user of the service', () => {
    expectTypeOf<MonqueService>().toExtend<SeedMonqueService>();
  });

  test('an application', () => {
    @Configuration({ imports: [MonqueModule], monque: { dbToken: 'DATABASE', enabled: true } })
    class Server {}

    @WorkerController('email')
    class EmailController {
      constructor(private readonly monque: MonqueService) {}

      @Worker('send')
      async sendEmail(job: Job<{ to: string }>): Promise<void> {
        await this.monque.now('email.sent', { to: job.data.to });
      }

      @Cron('0 9 * * *', { name: 'digest', uniqueKey: 'digest' })
      async sendDigest(): Promise<void> {}
    }

    @JobDecorator({ name: 'process-order' })
    class ProcessOrder {
      async handle(job: Job<{ orderId: string }>): Promise<string> {
        return job.data.orderId;
      }
    }
    expectTypeOf<[Server, EmailController, ProcessOrder]>().not.toBeAny();
  });
});

describe('a database', () => {
  test('is a Db, a Mongoose connection or service, or a store', () => {
    expectTypeOf<Db>().toExtend<NonNullable<MonqueTsedConfig['db']>>();
    expectTypeOf<Connection>().toExtend<NonNullable<MonqueTsedConfig['db']>>();
    expectTypeOf<MongooseService>().toExtend<NonNullable<MonqueTsedConfig['db']>>();
    expectTypeOf<JobStore<string>>().toExtend<NonNullable<MonqueTsedConfig['db']>>();
    expectTypeOf<Date>().not.toExtend<NonNullable<MonqueTsedConfig['db']>>();
  });

  test('is known to the configuration of Ts.ED', () => {
    expectTypeOf<TsED.Configuration['monque']>().toEqualTypeOf<
      MonqueTsedConfig | readonly MonqueTsedConfig[] | undefined
    >();
    expectTypeOf(Configuration).toBeCallableWith({ monque: { dbToken: MongooseService } });
    // @ts-expect-error: no such option
    Configuration({ monque: { databse: 'mongodb://localhost' } });
  });
});

describe('a decorator', () => {
  test('of a class with @Job wants a handle method', () => {
    class WithHandle {
      handle(job: Job<number>) {
        return job.data;
      }
    }
    class Without {}
    const decorate = JobDecorator({ name: 'a' });
    expectTypeOf(decorate).toBeCallableWith(WithHandle);
    // @ts-expect-error: no handle
    decorate(Without);
  });

  test('of a method takes no more than a job and its context', () => {
    class Handlers {
      // @ts-expect-error: nobody would give the third argument
      @Worker('a')
      three(_job: Job, _context: unknown, _more: string) {}
    }
    expectTypeOf<Handlers>().not.toBeAny();
  });
});
