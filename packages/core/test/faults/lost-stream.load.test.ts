import { setTimeout } from 'node:timers/promises';
import { type MongoServer, mongo } from '@monque/test-servers';
import { testDatabase } from '@monque/test-servers/vitest';
import { ObjectId } from 'mongodb';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { said, told } from './scene/crew.js';
import { failCommands } from './scene/fail-point.js';
import { Scene } from './scene/scene.js';

const appName = 'lost-stream';
/** ChangeStreamHistoryLost: what a token points at is no longer there. */
const HISTORY_LOST = 286;
/** Bytes that the server's log of changes holds. */
const LOG_SIZE = 2 ** 20;

/** Polls are too far apart to help: only a stream can wake anybody. */
const OPTIONS = { lockTimeout: 20_000, pollInterval: 600_000, safetyPollInterval: 600_000 };

const { available } = testDatabase();

describe.skipIf(!available)('A stream of changes', () => {
  let server: MongoServer;
  beforeAll(async () => {
    // A log of a megabyte; what a checkpoint has, every second, may be dropped from it.
    const log = ['--oplogSize', '1', '--syncdelay', '1'];
    server = await mongo.replicaSet({ nodes: 1, args: [...log, '--setParameter', 'enableTestCommands=1'] });
  });
  afterAll(() => server?.stop());
  const open = (title: string) =>
    Scene.open({ title: `stream ${title}`, uri: `${server.uri}&appName=${appName}`, options: OPTIONS });

  test('whose token the server no longer knows is opened anew, and nobody sleeps on', async () => {
    await using scene = await open('without history');
    const { crew, producer } = scene;
    const [worker] = await crew.start(1);
    {
      const lost = { failCommands: ['getMore', 'aggregate'], errorCode: HISTORY_LOST, appName };
      await using failing = await failCommands(scene.client.db('admin'), { times: 3 }, lost);
      // Ends the question that waits at the server; the next one fails, and so do two tries to begin anew.
      await producer.enqueue(1);
      await failing.entered(3);
      await told(worker!, 'disconnected', 3);
    }
    await told(worker!, 'connected', 2);
    await producer.enqueue(20);
    await scene.expectPromisesKept();
  }, 90_000);

  test('of a process that slept until its place in the log was gone is opened anew, with nothing missed', async () => {
    await using scene = await open('left behind');
    const { crew, producer } = scene;
    const { insertedId } = await scene.jobs.insertOne({
      _id: new ObjectId(),
      status: 'completed',
      failCount: 0,
    });
    const [worker] = await crew.start(1);
    // It comes to rest: a look that was under way would find what the stream is to tell of.
    await setTimeout(500);
    worker!.script.kill('SIGSTOP');
    try {
      // Answers the question that waits at the server with something that wakes nobody. So nobody asks any more.
      await scene.jobs.deleteOne({ _id: insertedId });
      await producer.enqueue(20);
      // The server drops the old in its own time, when something new comes.
      await expect.poll(() => flood(scene), { timeout: 60_000, interval: 100 }).toBe(0);
    } finally {
      worker!.script.kill('SIGCONT');
    }
    await scene.finish();
    await told(worker!, 'disconnected');
    await told(worker!, 'connected', 2);
    await producer.enqueue(20);
    await scene.expectPromisesKept();
  }, 120_000);

  test('that ends with its collection comes back with the next one, and so do the indexes', async () => {
    await using scene = await open('without collection');
    const { crew, producer } = scene;
    const workers = await crew.start(2);
    await producer.enqueue(40, { ms: 200 });
    await told(workers[0]!, 'begin');
    const before = workers.map((worker) => said(worker, 'connected'));
    const indexes = (await scene.jobs.indexes()).map(({ name }) => name);
    await scene.jobs.drop();
    // Those went with the collection.
    producer.acknowledged.clear();
    await producer.enqueue(20);
    await Promise.all(workers.map((worker, index) => told(worker, 'connected', before[index]! + 1)));
    await producer.enqueue(20);
    await scene.expectPromisesKept();
    expect((await scene.jobs.indexes()).map(({ name }) => name)).toEqual(expect.arrayContaining(indexes));
  }, 90_000);
});

/** Writes as much as the server's log can hold; answers how many changes of jobs are still in it. */
async function flood({ db, client }: Scene): Promise<number> {
  await db.collection('flood').insertOne({ bytes: Buffer.alloc(LOG_SIZE) });
  const log = client.db('local').collection('oplog.rs');
  return log.countDocuments({ ns: `${db.databaseName}.monque_jobs` });
}
