import { memory, type PersistedJob } from '@monque/core';
import { testDatabase } from '@monque/test-servers/vitest';
import { Cron, MonqueService, WorkerController } from '@monque/tsed';
import { destroyInjector, GlobalProviders, Injectable, inject } from '@tsed/di';
import { beforeEach, describe, expect, onTestFinished, test } from 'vitest';
import { scheduleCron } from '../../src/jobs/schedule-cron.js';
import { boot, DEADLINE_MS, onlyInThisTest } from '../support/application.js';
import { logLines } from '../support/log-lines.js';
import { signal } from '../support/signal.js';

const database = testDatabase();
const COLLECTION = 'crons';
/** Far away, so that nothing becomes due while a test looks. */
const RARELY = '0 3 29 2 *';

@Injectable()
class Reports {
  readonly written: string[] = [];
  begun = signal();
  mayEnd = signal();
}

@WorkerController('reports')
class ReportController {
  constructor(private readonly reports: Reports) {}

  @Cron(RARELY)
  async rarely(job: PersistedJob) {
    this.reports.written.push(job.name);
    this.reports.begun.give();
    await this.reports.mayEnd.given;
  }

  @Cron('@yearly', { name: 'by-the-year', uniqueKey: 'yearly', timezone: 'Europe/Berlin', priority: 5 })
  yearly() {}
}

/** The same controller after a deployment that changed its pattern. */
function deploy(pattern: string): void {
  @WorkerController('reports')
  class LaterController {
    @Cron(pattern, { name: 'rarely' })
    rarely() {}
  }
  onlyInThisTest(LaterController);
}

const monque = { db: database.db, collectionName: COLLECTION };

async function series(): Promise<unknown[]> {
  const jobs = await inject(MonqueService).getJobs({ name: 'reports.rarely' });
  return jobs.map(({ repeatInterval, uniqueKey, status }) => [repeatInterval, uniqueKey, status]);
}

beforeEach(async () => {
  await database.db.collection(COLLECTION).deleteMany({});
});

describe('a series', () => {
  test('is stored at start-up, under the method’s name or its own, with its options', async () => {
    await boot({ imports: [ReportController], monque });
    const jobs = await inject(MonqueService).getJobs();
    expect(jobs.map(({ name }) => name).sort()).toEqual(['reports.by-the-year', 'reports.rarely']);
    expect(jobs.find(({ name }) => name === 'reports.by-the-year')).toMatchObject({
      repeatInterval: '@yearly',
      uniqueKey: 'yearly',
      timezone: 'Europe/Berlin',
      priority: 5,
      status: 'pending',
    });
  });

  test('is there once, however often the application starts', async () => {
    for (const _ of [1, 2, 3]) {
      await boot({ imports: [ReportController], monque });
      expect(await series()).toEqual([[RARELY, 'reports.rarely', 'pending']]);
      await destroyInjector();
    }
  });

  test('runs when it is due, and waits for its next time', async () => {
    await boot({ imports: [ReportController], monque });
    const service = inject(MonqueService);
    const reports = inject(Reports);
    reports.mayEnd.give();
    const [job] = await service.getJobs({ name: 'reports.rarely' });
    await service.rescheduleJob(job!._id, new Date());
    await reports.begun.given;
    await expect
      .poll(() => service.getJob(job!._id), { timeout: DEADLINE_MS })
      .toMatchObject({ status: 'pending', failCount: 0, nextRunAt: job!.nextRunAt });
    expect(reports.written).toEqual(['reports.rarely']);
  });
});

describe('a pattern that was changed', () => {
  test('takes the place of the stored one', async () => {
    await boot({ imports: [ReportController], monque });
    await destroyInjector();
    const former = GlobalProviders.get(ReportController)!;
    GlobalProviders.delete(ReportController);
    onTestFinished(() => void GlobalProviders.set(ReportController, former));
    deploy('0 4 29 2 *');

    await boot({ monque });
    expect(await series()).toEqual([['0 4 29 2 *', 'reports.rarely', 'pending']]);
  });

  test('leaves alone a series that runs at the moment, and says so', async () => {
    const store = memory();
    const platform = await boot({ imports: [ReportController], monque: { db: store } });
    const service = inject(MonqueService);
    const [job] = await service.getJobs({ name: 'reports.rarely' });
    const reports = inject(Reports);
    await service.rescheduleJob(job!._id, new Date());
    await reports.begun.given;

    // As another process would, on the same store.
    const warnings = logLines('warn');
    await scheduleCron(service.monque as never, {
      kind: 'cron',
      fullName: 'reports.rarely',
      instance: 'default',
      name: 'rarely',
      method: 'rarely',
      pattern: '0 4 29 2 *',
      opts: {},
    });
    expect(warnings).toMatchObject([{ event: 'MONQUE_CRON_KEPT', jobName: 'reports.rarely' }]);
    expect(await series()).toEqual([[RARELY, 'reports.rarely', 'processing']]);
    reports.mayEnd.give();
    await platform.stop();
    expect(reports.written).toEqual(['reports.rarely']);
  });
});
