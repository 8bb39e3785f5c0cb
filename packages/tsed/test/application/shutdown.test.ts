import { type JobStore, memory, type PersistedJob } from '@monque/core';
import { testDatabase } from '@monque/test-servers/vitest';
import { MonqueModule, MonqueService, type MonqueTsedConfig, Worker, WorkerController } from '@monque/tsed';
import { destroyInjector, Injectable, inject, injectable, Module } from '@tsed/di';
import { MongooseModule, MongooseService } from '@tsed/mongoose';
import mongoose, { type Connection, ConnectionStates } from 'mongoose';
import { describe, expect, test } from 'vitest';
import { boot, DEADLINE_MS, onlyInThisTest } from '../support/application.js';
import { signal } from '../support/signal.js';

const database = testDatabase();

/** What the handler and the test tell each other; outlives the applications of a test. */
let work = { begun: signal(), mayEnd: signal(), runs: 0 };

@Injectable()
class Mailer {
  readonly sent: string[] = [];
}

@WorkerController('slow')
class SlowController {
  constructor(
    private readonly mailer: Mailer,
    private readonly monque: MonqueService,
  ) {}

  @Worker('send')
  async send(job: PersistedJob<{ to: string }>) {
    work.runs += 1;
    work.begun.give();
    await work.mayEnd.given;
    this.mailer.sent.push(job.data.to);
    await this.monque.enqueue('slow.sent', job.data, { hold: true });
    return 'sent';
  }
}

/** A connection that the application opens and closes itself. */
@Module()
class OwnConnection {
  static readonly token = Symbol.for('shutdown:connection');

  async $onDestroy() {
    await inject<Connection>(OwnConnection.token).close();
  }
}

injectable(OwnConnection.token).asyncFactory(() =>
  mongoose.createConnection(database.uri, { dbName: database.name }).asPromise(),
);

const imports = [MonqueModule, SlowController];

async function begin(monque: MonqueTsedConfig, settings = {}) {
  work = { begun: signal(), mayEnd: signal(), runs: 0 };
  const platform = await boot({ imports, ...settings, monque });
  const service = inject(MonqueService);
  const { _id } = await service.enqueue('slow.send', { to: 'ada' });
  await work.begun.given;
  return { platform, service, _id, mailer: inject(Mailer) };
}

describe('an application that stops', () => {
  test('waits for running handlers, whose services work until the end, and stores their results', async () => {
    const { platform, service, _id, mailer } = await begin({ db: database.db, collectionName: 'drained' });
    let stopped = false;
    const stopping = platform.stop().then(() => {
      stopped = true;
    });
    // It takes no further job; the one that it has goes on.
    const late = await service.enqueue('slow.send', { to: 'bob' });
    expect(stopped).toBe(false);
    work.mayEnd.give();
    await stopping;

    const jobs = database.db.collection('drained');
    expect(await jobs.findOne({ _id })).toMatchObject({ status: 'completed', result: 'sent' });
    expect(await jobs.findOne({ name: 'slow.sent' })).toMatchObject({ status: 'created' });
    expect(await jobs.findOne({ _id: late._id })).toMatchObject({ status: 'pending', failCount: 0 });
    expect(mailer.sent).toEqual(['ada']);
    expect(work.runs).toBe(1);
    await expect(service.getJobs()).rejects.toThrow('MonqueService is not initialized');
  });

  test('closes a store only after all its jobs have come to rest', async () => {
    const order: string[] = [];
    const store: JobStore<string> = memory();
    const { settle } = store;
    Object.assign(store, {
      settle: async (batch: Parameters<typeof settle>[0]) => {
        order.push('settled');
        return settle.call(store, batch);
      },
      close: async () => void order.push('closed'),
    });
    const { platform } = await begin({ db: store });
    const stopping = platform.stop();
    work.mayEnd.give();
    await stopping;
    expect(order).toEqual(['settled', 'closed']);
  });

  test('stops also where it is given up while it starts', async () => {
    const opened = signal();
    const closed: string[] = [];
    const store = Object.assign(memory(), { close: async () => void closed.push('store') });
    const dbFactory = async () => {
      await opened.given;
      return store;
    };
    @Injectable()
    class Unlucky {
      async $onInit() {
        throw new Error('no luck');
      }
    }
    onlyInThisTest(Unlucky);
    await expect(boot({ imports: [...imports, Unlucky], monque: { dbFactory } })).rejects.toThrow('no luck');
    const stopping = destroyInjector();
    opened.give();
    await stopping;
    expect(closed).toEqual(['store']);
  });
});

describe('a Mongoose connection that the application closes as well', () => {
  const connectionOptions = { dbName: database.name };

  test('that of @tsed/mongoose is closed after the last job has ended', async () => {
    const { platform, _id } = await begin(
      { dbToken: MongooseService, collectionName: 'held' },
      {
        imports: [MongooseModule, ...imports],
        mongoose: [{ id: 'default', url: database.uri, connectionOptions }],
      },
    );
    const connection = inject(MongooseService).get()!;
    const stopping = platform.stop();
    expect(connection.readyState).toBe(ConnectionStates.connected);
    work.mayEnd.give();
    await stopping;
    expect(connection.readyState).toBe(ConnectionStates.disconnected);
    expect(await database.db.collection('held').findOne({ _id })).toMatchObject({ status: 'completed' });
    expect(work.runs).toBe(1);
  });

  test('that of your own cuts nothing off where Monque is stopped first', async () => {
    const { platform, service, _id } = await begin(
      { dbToken: OwnConnection.token, collectionName: 'in_order' },
      { imports: [OwnConnection, ...imports] },
    );
    const stopping = service.stop();
    work.mayEnd.give();
    await stopping;
    await platform.stop();
    expect(await database.db.collection('in_order').findOne({ _id })).toMatchObject({ status: 'completed' });
    expect(work.runs).toBe(1);
  });

  test('that of your own cuts a job off otherwise: its lease runs out, and it runs again', async () => {
    const monque = { dbToken: OwnConnection.token, collectionName: 'cut_off', lockTimeout: 1_000 };
    const settings = { imports: [OwnConnection, ...imports] };
    const { platform, _id } = await begin({ ...monque, shutdownTimeout: 200 }, settings);
    // The connection closes at once, and the handler has not ended when the time for it is over.
    await platform.stop();
    const jobs = database.db.collection('cut_off');
    expect(await jobs.findOne({ _id })).toMatchObject({ status: 'processing' });
    work.mayEnd.give();

    await boot({ ...settings, monque });
    const done = await inject(MonqueService).waitForJob(_id, { timeout: DEADLINE_MS });
    expect(done).toMatchObject({ status: 'completed', result: 'sent', failCount: 0 });
    expect(work.runs).toBe(2);
  });
});
