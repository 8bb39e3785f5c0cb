import { CancelRun, type JobContext, memory, type PersistedJob, RetryAfter } from '@monque/core';
import { MonqueService, Worker, WorkerController } from '@monque/tsed';
import { Injectable, inject, ProviderScope, Scope } from '@tsed/di';
import { expect, test } from 'vitest';
import { boot, perform } from '../support/application.js';
import { logLines } from '../support/log-lines.js';

@Injectable()
@Scope(ProviderScope.REQUEST)
class Fragile {
  static broken = false;

  constructor() {
    if (Fragile.broken) throw new Error('no licence');
  }
}

@WorkerController('failing')
@Scope(ProviderScope.REQUEST)
class FailingController {
  constructor(readonly fragile: Fragile) {}

  @Worker('throw')
  throw(job: PersistedJob<{ what: unknown }>) {
    throw job.data.what;
  }

  @Worker('fail')
  async fail() {
    throw new TypeError('not today');
  }

  @Worker('steer')
  steer(_: PersistedJob, { attempt }: JobContext) {
    if (attempt === 1) throw new CancelRun('no longer wanted');
  }

  @Worker('later')
  later() {
    throw new RetryAfter(3_600_000);
  }

  @Worker('work')
  work() {
    return 'done';
  }
}

const imports = [FailingController];

test('a handler that throws is logged, and counts as a failure', async () => {
  await boot({ imports, monque: { db: memory(), maxRetries: 1 } });
  const lines = logLines('error');
  const job = await perform('failing.fail', {});
  expect(job).toMatchObject({ status: 'failed', failCount: 1, failReason: 'not today' });
  expect(lines).toEqual([
    {
      event: 'MONQUE_JOB_ERROR',
      jobName: 'failing.fail',
      jobId: String(job?._id),
      handler: 'FailingController.fail',
      attempt: 1,
      error_name: 'TypeError',
      message: 'not today',
      stack: expect.stringContaining('not today'),
    },
  ]);
});

test('so is one that throws no error', async () => {
  await boot({ imports, monque: { db: memory(), maxRetries: 1 } });
  const lines = logLines('error');
  expect(await perform('failing.throw', { what: 'a text' })).toMatchObject({ failReason: 'a text' });
  expect(lines).toMatchObject([{ event: 'MONQUE_JOB_ERROR', message: 'a text' }]);
});

test('a dependency that cannot be made fails the job, and the worker goes on', async () => {
  await boot({ imports, monque: { db: memory(), maxRetries: 1 } });
  const lines = logLines('error');
  Fragile.broken = true;
  const failed = await perform('failing.work', {});
  Fragile.broken = false;
  expect(failed).toMatchObject({ status: 'failed', failReason: expect.stringContaining('no licence') });
  expect(lines).toMatchObject([
    { event: 'MONQUE_JOB_ERROR', jobName: 'failing.work', error_name: 'INJECTION_ERROR' },
  ]);
  expect(await perform('failing.work', {})).toMatchObject({ status: 'completed', result: 'done' });
});

test('what a handler throws to steer its run is no failure, and is not logged as one', async () => {
  await boot({ imports, monque: { db: memory() } });
  const lines = logLines('error');
  expect(await perform('failing.steer', {})).toMatchObject({ status: 'cancelled' });
  const service = inject(MonqueService);
  const { _id } = await service.enqueue('failing.later', {});
  await service.drain();
  expect(await service.getJob(_id)).toMatchObject({ status: 'pending', failCount: 0 });
  expect(lines).toEqual([]);
});

test('what is no job’s failure is logged as well', async () => {
  await boot({ imports, monque: { db: memory() } });
  const lines = logLines('error');
  const { monque } = inject(MonqueService);
  monque.emit('job:error', { error: new Error('the store is gone') });
  expect(lines).toMatchObject([{ event: 'MONQUE_ERROR', message: 'the store is gone' }]);
});
