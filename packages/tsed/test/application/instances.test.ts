import { memory } from '@monque/core';
import { testDatabase } from '@monque/test-servers/vitest';
import { Job, MonqueService, MonqueServices, Worker, WorkerController } from '@monque/tsed';
import { Injectable, inject } from '@tsed/di';
import { expect, test } from 'vitest';
import { boot, perform } from '../support/application.js';

const database = testDatabase();

@WorkerController('count')
class CountController {
  @Worker('one')
  one() {
    return 'by default';
  }
}

@WorkerController('count', { instance: 'analytics' })
class AnalyticsController {
  constructor(private readonly services: MonqueServices) {}

  @Worker('one')
  async one() {
    await this.services.get().enqueue('told-by-analytics', {});
    return 'by analytics';
  }
}

@Job({ name: 'told-by-analytics' })
class Listener {
  handle() {}
}

@Injectable()
class Producer {
  constructor(
    readonly monque: MonqueService,
    readonly services: MonqueServices,
  ) {}
}

const imports = [CountController, AnalyticsController, Listener, Producer];

test('an application may have two instances, each with its own database, controllers and service', async () => {
  await boot({
    imports,
    monque: [{ db: database.db }, { id: 'analytics', db: memory(), workerConcurrency: 1 }],
  });
  const { monque, services } = inject(Producer);
  const analytics = services.get('analytics');
  expect(services.get()).toBe(monque);
  expect(analytics.monque).not.toBe(monque.monque);

  expect((await perform('count.one', {}, monque))?.result).toBe('by default');
  expect((await perform('count.one', {}, analytics))?.result).toBe('by analytics');
  expect(await monque.getJobs({ name: 'told-by-analytics' })).toHaveLength(1);
  expect((await analytics.getQueueViewSummaries()).map(({ name }) => name)).toEqual(['count.one']);
  expect(await database.db.collection('monque_jobs').countDocuments({ name: 'count.one' })).toBe(1);
});

test('one of them may be switched off, and its controllers with it', async () => {
  await boot({ imports, monque: [{ db: memory() }, { id: 'analytics', enabled: false }] });
  expect((await perform('count.one', {}))?.result).toBe('by default');
  await expect(inject(MonqueServices).get('analytics').getJobs()).rejects.toThrow('not initialized');
});
