import { mkdtemp, readdir, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { memory, type PersistedJob } from '@monque/core';
import { sqlite } from '@monque/sql';
import { testDatabase } from '@monque/test-servers/vitest';
import { MonqueService, type MonqueTsedConfig, Worker, WorkerController } from '@monque/tsed';
import { destroyInjector, Injectable, inject, injectable } from '@tsed/di';
import { MongooseModule, MongooseService } from '@tsed/mongoose';
import mongoose from 'mongoose';
import { describe, expect, onTestFinished, test } from 'vitest';
import { type BootOptions, boot, perform } from '../support/application.js';

const database = testDatabase();
const { db } = database;

@Injectable()
class Ledger {
  readonly entries: string[] = [];
}

/** The one controller of all tests here: it knows nothing of where its jobs are stored. */
@WorkerController('orders')
class OrderController {
  constructor(private readonly ledger: Ledger) {}

  @Worker('process')
  process(job: PersistedJob<{ orderId: string }>) {
    this.ledger.entries.push(job.data.orderId);
    return { processed: job.data.orderId };
  }
}

/** Boots with a configuration, has a job processed, and sees that it was. */
async function processOneJob(monque: MonqueTsedConfig, settings: BootOptions = {}): Promise<void> {
  await boot({ imports: [OrderController], ...settings, monque });
  expect(inject(MonqueService).isHealthy()).toBe(true);
  const job = await perform('orders.process', { orderId: 'o-1' });
  expect(job).toMatchObject({ name: 'orders.process', status: 'completed', result: { processed: 'o-1' } });
  expect(inject(Ledger).entries).toEqual(['o-1']);
}

/** Whether the jobs of a test are in the database, read past Monque. */
async function storedNames(collectionName: string): Promise<unknown[]> {
  const stored = await db.collection(collectionName).find().toArray();
  return stored.map(({ name, status }) => [name, status]);
}

const DONE = [['orders.process', 'completed']];

async function connected() {
  const connection = await mongoose.createConnection(database.uri, { dbName: database.name }).asPromise();
  onTestFinished(() => connection.close());
  return connection;
}

describe('native MongoDB', () => {
  test('a Db processes jobs without further ado', async () => {
    await processOneJob({ db, collectionName: 'native' });
    expect(await storedNames('native')).toEqual(DONE);
  });

  test('a Db from a factory does', async () => {
    let calls = 0;
    const dbFactory = async () => {
      calls += 1;
      return db;
    };
    await processOneJob({ dbFactory, collectionName: 'factory' });
    expect(calls).toBe(1);
    expect(await storedNames('factory')).toEqual(DONE);
  });

  test('a Db from the container does, also where its provider is asynchronous', async () => {
    const token = Symbol.for('test:db');
    injectable(token).asyncFactory(async () => {
      await db.command({ ping: 1 });
      return db;
    });
    await processOneJob({ dbToken: token, collectionName: 'token' });
    expect(await storedNames('token')).toEqual(DONE);
  });
});

describe('Mongoose', () => {
  test('a connection processes jobs without further ado', async () => {
    await processOneJob({ db: await connected(), collectionName: 'connection' });
    expect(await storedNames('connection')).toEqual(DONE);
  });

  test('a connection that is still being opened is waited for', async () => {
    const connection = mongoose.createConnection(database.uri, { dbName: database.name });
    onTestFinished(() => connection.close());
    await processOneJob({ dbFactory: () => connection, collectionName: 'opening' });
    expect(await storedNames('opening')).toEqual(DONE);
  });

  test('the service of @tsed/mongoose does, by its token', async () => {
    await processOneJob(
      { dbToken: MongooseService, collectionName: 'service' },
      {
        imports: [MongooseModule, OrderController],
        mongoose: [{ id: 'default', url: database.uri, connectionOptions: { dbName: database.name } }],
      },
    );
    expect(await storedNames('service')).toEqual(DONE);
  });

  test('one of several connections does, by its id', async () => {
    await processOneJob(
      { dbToken: MongooseService, mongooseConnectionId: 'jobs', collectionName: 'second' },
      {
        imports: [MongooseModule, OrderController],
        mongoose: [
          { id: 'default', url: database.uri, connectionOptions: { dbName: `${database.name}_other` } },
          { id: 'jobs', url: database.uri, connectionOptions: { dbName: database.name } },
        ],
      },
    );
    expect(await storedNames('second')).toEqual(DONE);
  });
});

describe('a SQL store', () => {
  test('on SQLite processes jobs without further ado', async () => {
    await processOneJob({ db: sqlite({ file: ':memory:' }) });
  });

  test('from a factory does, and its file is closed with the application', async () => {
    const file = join(await temporaryFolder(), 'jobs.db');
    await processOneJob({ dbFactory: () => sqlite({ file }) });
    await destroyInjector();
    // The write-ahead log goes when the last connection is closed.
    expect(await readdir(dirname(file))).toEqual(['jobs.db']);

    await boot({ imports: [OrderController], monque: { dbFactory: () => sqlite({ file }) } });
    expect(await inject(MonqueService).getJobs({ name: 'orders.process' })).toMatchObject([
      { status: 'completed', result: { processed: 'o-1' } },
    ]);
  });

  test('from the container does', async () => {
    const token = Symbol.for('test:store');
    injectable(token).factory(() => sqlite({ file: ':memory:' }));
    await processOneJob({ dbToken: token });
  });
});

test('so does the store in memory', async () => {
  await processOneJob({ db: memory() });
});

async function temporaryFolder(): Promise<string> {
  const folder = await mkdtemp(join(tmpdir(), 'monque-tsed-'));
  onTestFinished(() => rm(folder, { recursive: true }));
  return folder;
}
