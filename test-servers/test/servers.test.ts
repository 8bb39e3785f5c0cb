import { readdirSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { mongo } from '@monque/test-servers';
import { spawnScript, testDatabase } from '@monque/test-servers/vitest';
import { MongoClient } from 'mongodb';
import { describe, expect, test, vi } from 'vitest';

const { available } = testDatabase();

describe('the standalone server of a run', () => {
  const { db } = testDatabase('standalone');

  test('stores documents and is in no replica set', async () => {
    await db.collection('things').insertOne({ thing: 1 });
    expect(await db.collection('things').countDocuments()).toBe(1);
    expect((await db.command({ hello: 1 })).setName).toBeUndefined();
  });
});

describe('the replica set of a run', () => {
  const { db } = testDatabase('replicaSet');

  test('has a name and change streams', async () => {
    expect((await db.command({ hello: 1 })).setName).toEqual(expect.any(String));
    await db.createCollection('things');
    await using stream = db.collection('things').watch([], { maxAwaitTimeMS: 50 });
    await stream.tryNext();
    await db.collection('things').insertOne({ thing: 1 });
    expect(await stream.next()).toMatchObject({ operationType: 'insert' });
  });
});

describe.skipIf(!available)('a server of its own', () => {
  test('is gone with its data after stop', async () => {
    const server = await mongo.replicaSet({ nodes: 1 });
    const [node] = server.processes;
    expect(isAlive(node!.pid)).toBe(true);
    expect(dataFoldersOf(process.pid)).toHaveLength(1);
    await server.stop();
    expect(isAlive(node!.pid)).toBe(false);
    expect(dataFoldersOf(process.pid)).toHaveLength(0);
  });

  test('with three nodes outlives its primary', { timeout: 60_000 }, async () => {
    await using server = await mongo.replicaSet({ nodes: 3 });
    expect(server.processes).toHaveLength(3);
    await using client = new MongoClient(server.uri);
    const things = client.db('test').collection('things');
    await things.insertOne({ thing: 1 }, { writeConcern: { w: 'majority' } });

    const hello = await client.db('admin').command({ hello: 1 });
    const primary = server.processes.find((node) => hello.primary.endsWith(`:${node.port}`))!;
    primary.kill('SIGKILL');
    expect(await things.countDocuments()).toBe(1);
    await things.insertOne({ thing: 2 }, { writeConcern: { w: 'majority' } });

    const { pid } = primary;
    await primary.restart();
    expect(primary.pid).not.toBe(pid);
    expect(isAlive(primary.pid)).toBe(true);
    await things.insertOne({ thing: 3 }, { writeConcern: { w: 3 } });
  });

  test('is started with further arguments', async () => {
    await using server = await mongo.replicaSet({
      nodes: 1,
      args: ['--setParameter', 'enableTestCommands=1'],
    });
    await using client = new MongoClient(server.uri);
    const parameter = await client.db('admin').command({ getParameter: 1, enableTestCommands: 1 });
    expect(parameter.enableTestCommands).toBe(true);
  });

  test.each(['SIGKILL', 'exit'])('does not outlive a process that ends by %s', async (ending) => {
    const script = spawnScript(new URL('./fixtures/start-server.ts', import.meta.url));
    const { pid } = await script.waitFor<{ pid: number }>((message) => message.pid > 0);
    expect(isAlive(pid)).toBe(true);
    if (ending === 'exit') script.send('exit');
    else script.kill('SIGKILL');
    await script.exited;
    await vi.waitFor(() => expect(isAlive(pid)).toBe(false), { timeout: 10_000 });

    // What a killed process left is removed by the next one that starts a server.
    await using _next = await mongo.standalone({ ...process.env, MONGODB_URI: '' });
    expect(dataFoldersOf(script.pid!)).toHaveLength(0);
  });
});

function dataFoldersOf(pid: number): string[] {
  return readdirSync(tmpdir()).filter((name) => name.startsWith(`monque-server-${pid}-`));
}

function isAlive(pid: number): boolean {
  try {
    return process.kill(pid, 0);
  } catch {
    return false;
  }
}
