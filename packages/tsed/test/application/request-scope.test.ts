import { type JobContext, memory, type PersistedJob } from '@monque/core';
import { sqlite } from '@monque/sql';
import { testDatabase } from '@monque/test-servers/vitest';
import { Job, MONQUE_JOB, MONQUE_JOB_CONTEXT, MonqueService, Worker, WorkerController } from '@monque/tsed';
import { context, Inject, Injectable, inject, ProviderScope, Scope } from '@tsed/di';
import { describe, expect, test } from 'vitest';
import { boot, DEADLINE_MS, perform } from '../support/application.js';
import { signal } from '../support/signal.js';

const JOBS = 200;
const database = testDatabase();

/** Shared by all jobs: lets each wait until all of its round are there, so that they really run side by side. */
@Injectable()
class Meeting {
  readonly made: UnitOfWork[] = [];
  readonly destroyed: UnitOfWork[] = [];
  #expected = 1;
  #here = 0;
  #open = signal();

  expect(count: number): void {
    this.#expected = count;
    this.#here = 0;
    this.#open = signal();
  }

  async join(): Promise<void> {
    this.#here += 1;
    if (this.#here === this.#expected) this.#open.give();
    await this.#open.given;
  }
}

@Injectable()
@Scope(ProviderScope.REQUEST)
class UnitOfWork {
  readonly writes: unknown[] = [];

  constructor(
    private readonly meeting: Meeting,
    @Inject(MONQUE_JOB) readonly job: PersistedJob<{ n: number }>,
  ) {
    meeting.made.push(this);
  }

  async $onDestroy() {
    await Promise.resolve();
    this.meeting.destroyed.push(this);
  }
}

@Injectable()
@Scope(ProviderScope.REQUEST)
class Repository {
  constructor(readonly work: UnitOfWork) {}
}

@WorkerController('scoped')
@Scope(ProviderScope.REQUEST)
class ScopedController {
  @Inject()
  readonly injected!: UnitOfWork;

  @Inject(MONQUE_JOB_CONTEXT)
  readonly jobContext!: JobContext;

  constructor(
    private readonly meeting: Meeting,
    private readonly work: UnitOfWork,
    private readonly repository: Repository,
    @Inject(MONQUE_JOB) private readonly job: PersistedJob<{ n: number }>,
  ) {}

  @Worker('write', { concurrency: JOBS })
  async write(job: PersistedJob<{ n: number }>, jobContext: JobContext) {
    this.work.writes.push(job.data.n);
    await this.meeting.join();
    // Asked for only now, after all the others have begun.
    this.injected.writes.push(`again ${job.data.n}`);
    this.repository.work.writes.push(`repository ${job.data.n}`);
    const inContext = inject(UnitOfWork, { locals: context().container });
    return {
      n: job.data.n,
      writes: this.work.writes,
      oneUnit: [this.injected, this.repository.work, inContext].every((each) => each === this.work),
      ownJob: [this.job, this.work.job, context().get(MONQUE_JOB)].every((each) => each === job),
      ownContext: [this.jobContext, context().get(MONQUE_JOB_CONTEXT)].every((each) => each === jobContext),
      contextId: context().id === String(job._id),
    };
  }
}

@Job({ name: 'count' })
class Counter {
  count = 0;

  handle() {
    this.count += 1;
    return this.count;
  }
}

const imports = [ScopedController, Counter];

describe.each([
  ['in memory', () => ({ db: memory() })],
  ['on MongoDB', () => ({ db: database.db })],
  ['on SQLite', () => ({ db: sqlite({ file: ':memory:' }) })],
])('%s', (_, configuration) => {
  test('200 concurrent jobs never see the providers of each other, and every one is destroyed', async () => {
    await boot({ imports, monque: { ...configuration(), workerConcurrency: JOBS } });
    const service = inject(MonqueService);
    const meeting = inject(Meeting);
    meeting.expect(JOBS);

    const jobs = await service.enqueueMany(
      Array.from({ length: JOBS }, (_, n) => ({ name: 'scoped.write', data: { n } })),
    );
    const done = await Promise.all(
      jobs.map(({ _id }) => service.waitForJob(_id, { timeout: 2 * DEADLINE_MS })),
    );

    expect(done.map((job) => job?.result)).toEqual(
      jobs.map((_, n) => ({
        n,
        writes: [n, `again ${n}`, `repository ${n}`],
        oneUnit: true,
        ownJob: true,
        ownContext: true,
        contextId: true,
      })),
    );
    expect(meeting.made).toHaveLength(JOBS);
    // Destroyed before the outcome is stored, so before anyone could know that the job is done.
    expect(meeting.destroyed).toHaveLength(JOBS);
    expect(meeting.made.filter((unit) => !meeting.destroyed.includes(unit))).toEqual([]);
  }, 60_000);
});

test('a failed job’s providers are destroyed as well', async () => {
  await boot({ imports, monque: { db: memory(), maxRetries: 1 } });
  const meeting = inject(Meeting);
  meeting.expect(1);
  meeting.join = () => Promise.reject(new Error('nobody came'));
  expect(await perform('scoped.write', { n: 1 })).toMatchObject({
    status: 'failed',
    failReason: 'nobody came',
  });
  expect(meeting.destroyed).toEqual(meeting.made);
  expect(meeting.made).toHaveLength(1);
});

test('a singleton is shared by all jobs', async () => {
  await boot({ imports, monque: { db: memory() } });
  expect((await perform('count', {}))?.result).toBe(1);
  expect((await perform('count', {}))?.result).toBe(2);
  expect(inject(Counter).count).toBe(2);
});

test('outside of a run the job cannot be injected, and the error says what to do', async () => {
  await boot({ imports, monque: { db: memory() } });
  expect(() => inject(UnitOfWork, { locals: new Map() as never })).toThrow(
    'MONQUE_JOB can be injected while a job runs only. Add @Scope(ProviderScope.REQUEST)',
  );
});
