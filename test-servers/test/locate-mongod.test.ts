import { describe, expect, test } from 'vitest';
import { downloadedMongod } from '../src/mongodb/downloaded-mongod.js';
import { locateMongod } from '../src/mongodb/locate-mongod.js';
import { startReplicaSet } from '../src/mongodb/start-replica-set.js';
import { startStandalone } from '../src/mongodb/start-standalone.js';
import { systemMongod } from '../src/mongodb/system-mongod.js';
import { ServerUnavailableError } from '../src/server-unavailable-error.js';
import { makeMachine, mongodScript } from './machine.js';

const nowhere = { MONGODB_URI: 'mongodb://127.0.0.1:1' };

describe('MONGODB_URI', () => {
  test('comes before every mongod of the machine', async () => {
    const machine = makeMachine(nowhere);
    machine.addProgram('mongod', mongodScript('6.0.5'));
    // Nothing answers there: had the program been tried, the error would be another.
    const servers = [startStandalone(machine.env), startReplicaSet({ env: machine.env })];
    for (const { reason } of (await Promise.allSettled(servers)) as PromiseRejectedResult[]) {
      expect(reason).toMatchObject({
        message: expect.stringContaining('MONGODB_URI is set, but no server answers'),
      });
    }
  });

  test('is used as it is where it names the wanted kind, and is not stopped', async () => {
    await using own = await startStandalone({ ...process.env, MONGODB_URI: '' });
    const given = await startStandalone({ MONGODB_URI: own.uri });
    expect(given).toMatchObject({ uri: own.uri, origin: 'MONGODB_URI', processes: [] });
    await given.stop();
    expect(isAlive(own.processes[0]!.pid)).toBe(true);
  });

  test('is passed over where it names the other kind', async () => {
    await using own = await startStandalone({ ...process.env, MONGODB_URI: '' });
    const machine = makeMachine({ MONGODB_URI: own.uri, MONGOMS_SYSTEM_BINARY: '/no/such/mongod' });
    await expect(startReplicaSet({ env: machine.env })).rejects.toThrow(
      'MONGOMS_SYSTEM_BINARY cannot be used',
    );
  });
});

describe('the program on this machine', () => {
  test('MONGOMS_SYSTEM_BINARY comes before PATH', async () => {
    const machine = makeMachine();
    machine.addProgram('mongod', mongodScript('6.0.5'));
    const named = machine.addProgram('opt/mongod-7', mongodScript('7.0.1'));
    const env = { ...machine.env, MONGOMS_SYSTEM_BINARY: named };
    expect(await systemMongod(env)).toEqual({
      path: named,
      version: '7.0.1',
      origin: 'MONGOMS_SYSTEM_BINARY',
    });
  });

  test('mongod on PATH is taken', async () => {
    const machine = makeMachine();
    const path = machine.addProgram('mongod', mongodScript('6.0.5'));
    expect(await systemMongod(machine.env)).toEqual({ path, version: '6.0.5', origin: 'PATH' });
  });

  test('a named program that does not run ends the search', async () => {
    const machine = makeMachine();
    machine.addProgram('mongod', mongodScript('6.0.5'));
    const broken = machine.addProgram('opt/broken', 'echo "libcrypto.so.1.1: cannot open" >&2; exit 127');
    const env = { ...machine.env, MONGOMS_SYSTEM_BINARY: broken };
    await expect(locateMongod(env)).rejects.toThrow('libcrypto.so.1.1: cannot open');
  });

  test('a program on PATH that does not run is passed over', async () => {
    const machine = makeMachine();
    machine.addProgram('mongod', 'exit 1');
    expect(await systemMongod(machine.env)).toEqual({ missing: expect.stringContaining('does not run') });
  });
});

describe('the places', () => {
  const found = (origin: string) => async () => ({ path: '/x', version: '1.0.0', origin });
  const missing = (reason: string) => async () => ({ missing: reason });
  const never = () => Promise.reject(new Error('was asked'));

  test('the first that has a mongod is the last that is asked', async () => {
    const mongod = await locateMongod({}, [missing('none here'), found('second'), never]);
    expect(mongod.origin).toBe('second');
  });

  test('without any, the error says what was tried and what to set', async () => {
    const search = locateMongod({}, [missing('none here'), missing('none there')]);
    await expect(search).rejects.toThrow(ServerUnavailableError);
    await expect(search).rejects.toThrow(/none here.*none there.*Set MONGODB_URI.*MONGOMS_SYSTEM_BINARY/s);
  });

  test('the machine comes before the download, and the download before the Python package', async () => {
    const machine = makeMachine();
    machine.addProgram('python3', 'echo "no index here" >&2; exit 1');
    const error: Error = await locateMongod({ ...machine.env, MONGOMS_VERSION: '0.0.1' }).then(
      () => expect.unreachable('there is no MongoDB 0.0.1'),
      (reason) => reason,
    );
    const order = ['MONGODB_URI', 'no mongod on PATH', 'MongoDB 0.0.1', 'the Python package'];
    const positions = order.map((text) => error.message.indexOf(text));
    expect(positions).not.toContain(-1);
    expect(positions).toEqual(positions.toSorted((a, b) => a - b));
  });
});

test('a download that cannot be had is given up within seconds', async () => {
  const { env } = makeMachine({ MONGOMS_VERSION: '0.0.1' });
  const start = performance.now();
  expect(await downloadedMongod(env)).toEqual({ missing: expect.any(String) });
  expect(performance.now() - start).toBeLessThan(6_000);
});

function isAlive(pid: number): boolean {
  return process.kill(pid, 0);
}
