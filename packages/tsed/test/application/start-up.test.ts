import {
  ConnectionError,
  InvalidOptionError,
  type JobStore,
  Monque,
  MonqueError,
  memory,
} from '@monque/core';
import { testDatabase } from '@monque/test-servers/vitest';
import { MonqueModule, MonqueService, Worker, WorkerController } from '@monque/tsed';
import { destroyInjector, Injectable, inject } from '@tsed/di';
import { MongoClient } from 'mongodb';
import { describe, expect, onTestFinished, test } from 'vitest';
import { boot, onlyInThisTest, perform } from '../support/application.js';

const database = testDatabase();

@WorkerController('start')
class StartController {
  @Worker('check')
  check() {
    return 'checked';
  }
}

const imports = [MonqueModule, StartController];

describe('a start-up that fails', () => {
  test('rejects with the original error', async () => {
    const original = new Error('no route to host');
    const dbFactory = () => Promise.reject(original);
    await expect(boot({ imports, monque: { dbFactory } })).rejects.toBe(original);
  });

  test('rejects when the database is out of reach', async () => {
    const client = new MongoClient('mongodb://127.0.0.1:1', { serverSelectionTimeoutMS: 200 });
    onTestFinished(() => client.close());
    await expect(boot({ imports, monque: { db: client.db('nowhere') } })).rejects.toThrow(ConnectionError);
  });

  test('rejects on an option that Monque does not take', async () => {
    const monque = { db: memory(), workerConcurrency: 0 };
    await expect(boot({ imports, monque })).rejects.toThrow(InvalidOptionError);
    await expect(boot({ imports, monque: { db: memory(), concurency: 1 } as never })).rejects.toThrow(
      'Unknown option "concurency"',
    );
  });

  test('can be tried again, in a new application or in the same one', async () => {
    let reachable = false;
    const dbFactory = async () => {
      if (!reachable) throw new Error('not yet');
      return database.db;
    };
    await expect(boot({ imports, monque: { dbFactory } })).rejects.toThrow('not yet');
    await expect(boot({ imports, monque: { dbFactory } })).rejects.toThrow('not yet');
    reachable = true;
    await boot({ imports, monque: { dbFactory } });
    expect((await perform('start.check', {}))?.result).toBe('checked');

    await destroyInjector();
    reachable = false;
    await expect(boot({ imports, monque: { dbFactory } })).rejects.toThrow('not yet');
    await destroyInjector();
    reachable = true;
    await boot({ imports, monque: { dbFactory } });
    expect((await perform('start.check', {}))?.result).toBe('checked');
  });

  test('closes what it had opened, and leaves no service behind', async () => {
    const closed: string[] = [];
    const storeNamed = (name: string): JobStore<string> =>
      Object.assign(memory(), { close: async () => void closed.push(name) });
    const broken = Object.assign(storeNamed('broken'), {
      open: () => Promise.reject(new Error('disk full')),
    });
    await expect(
      boot({
        imports,
        monque: [{ db: storeNamed('first') }, { id: 'second', db: broken }],
      }),
    ).rejects.toThrow('disk full');
    expect(closed.sort()).toEqual(['broken', 'first']);
    await expect(inject(MonqueService).getJobs()).rejects.toThrow('MonqueService is not initialized');
  });
});

describe('MonqueService before start-up', () => {
  test('the getter throws', () => {
    expect(() => new MonqueService().monque).toThrow(MonqueError);
    expect(() => new MonqueService().monque).toThrow('MonqueService is not initialized');
  });

  test('asynchronous methods reject, and synchronous ones throw', async () => {
    const service = new MonqueService();
    await expect(service.enqueue('a', 1)).rejects.toThrow('MonqueService is not initialized');
    await expect(service.getJob('id')).rejects.toThrow('MonqueService is not initialized');
    await expect(service.drain()).rejects.toThrow('MonqueService is not initialized');
    await expect(service.stop()).rejects.toThrow('MonqueService is not initialized');
    expect(() => service.isHealthy()).toThrow('MonqueService is not initialized');
    expect(() => service.register('a', () => 1)).toThrow('MonqueService is not initialized');
    expect(() => service.on('job:start', () => undefined)).toThrow('MonqueService is not initialized');
    expect(() => service.recurring).toThrow('MonqueService is not initialized');
  });

  test('it can be injected, and used from the moment when all is ready', async () => {
    @Injectable()
    class Early {
      readonly first: Promise<unknown>;

      constructor(readonly monque: MonqueService) {
        this.first = monque.getJobs().catch((error: Error) => error.message);
      }

      async $onReady() {
        await this.monque.enqueue('start.check', {});
      }
    }
    onlyInThisTest(Early);
    await boot({ imports: [...imports, Early], monque: { db: memory() } });
    expect(await inject(Early).first).toContain('not initialized');
    expect(await inject(MonqueService).getJobs({ name: 'start.check' })).toHaveLength(1);
  });
});

test('MonqueService has every public name of a Monque instance', async () => {
  await boot({ imports, monque: { db: memory() } });
  const { monque } = inject(MonqueService);
  const names = new Set<string | symbol>();
  for (let each: object = monque; each !== Object.prototype; each = Object.getPrototypeOf(each)) {
    for (const name of Reflect.ownKeys(each)) {
      if (typeof name === 'symbol' ? name === Symbol.asyncDispose : !name.startsWith('_')) names.add(name);
    }
  }
  expect(names).toContain('enqueueMany');
  expect([...names].filter((name) => !(name in MonqueService.prototype))).toEqual([]);
  expect(monque).toBeInstanceOf(Monque);
});

test('the service passes arguments and answers on', async () => {
  await boot({ imports, monque: { db: memory(), disableJobProcessing: true } });
  const service = inject(MonqueService);
  const job = await service.enqueue('later', { n: 1 }, { delay: 60_000, uniqueKey: 'one' });
  expect(await service.getJob(String(job._id))).toMatchObject({ name: 'later', uniqueKey: 'one' });
  const seen: unknown[] = [];
  expect(service.on('job:cancelled', ({ job }) => seen.push(job._id))).toBe(service.monque);
  await service.cancelJob(job._id);
  expect(seen).toEqual([job._id]);
  expect(service.recurring).toBe(service.monque.recurring);
});

describe('enabled: false', () => {
  test('connects to nothing, registers nothing and asks for no database', async () => {
    await boot({ imports, monque: { enabled: false } });
    expect(() => inject(MonqueService).monque).toThrow('MonqueService is not initialized');
    const dbFactory = () => Promise.reject(new Error('was called'));
    await destroyInjector();
    await boot({ imports, monque: { enabled: false, dbFactory } });
  });
});

describe('disableJobProcessing', () => {
  test('enqueues and queries, and takes no job', async () => {
    await boot({ imports, monque: { db: memory(), disableJobProcessing: true } });
    const service = inject(MonqueService);
    await service.enqueue('start.check', {});
    expect(service.isHealthy()).toBe(false);
    expect(await service.getQueueViewSummaries()).toMatchObject([
      { name: 'start.check', hasPersistedJobs: true, hasRegisteredWorker: false },
    ]);
    // Without a worker nothing is due, however long one waits.
    expect(await service.drain()).toEqual({ completed: 0, failed: 0, other: 0 });
  });
});
