import { type Script, spawnScript, testDatabase } from '@monque/test-servers/vitest';
import { describe, expect, test } from 'vitest';
import { Monque } from '../../src/monque.js';
import { SETTINGS_VARIABLE } from '../processes/fixtures/settings.js';

const LOCK_TIMEOUT = 1_500;
const DEADLINE = 30_000;

const database = testDatabase();

async function start(manner: 'careless' | 'guarded' | 'careful'): Promise<Script> {
  const settings = { uri: database.uri, database: database.name, options: { lockTimeout: LOCK_TIMEOUT } };
  const script = spawnScript(new URL('./fixtures/careless.ts', import.meta.url), {
    args: [manner],
    env: { [SETTINGS_VARIABLE]: JSON.stringify(settings) },
  });
  await script.waitFor((message) => message === 'ready', DEADLINE);
  return script;
}

describe('A handler', () => {
  test.each([
    ['calls process.exit', 'exit', 7],
    ['leaves an unhandled rejection behind', 'unhandled-rejection', 1],
    ['leaves an exception behind that nobody catches', 'uncaught-exception', 1],
  ])(
    'that %s takes its process with it, and its job goes to another',
    async (_, name, code) => {
      const careless = await start('careless');
      await using monque = new Monque(database.db);
      await monque.initialize();
      const { _id } = await monque.enqueue(name, {});
      expect(await careless.exited).toEqual({ code, signal: null });
      expect(careless.messages).toContain('begun');
      expect(await monque.getJob(_id)).toMatchObject({ status: 'processing' });

      await start('careful');
      expect(await monque.waitForJob(_id, { timeout: DEADLINE })).toMatchObject({
        status: 'completed',
        result: 'careful',
        failCount: 0,
      });
    },
    90_000,
  );

  test.each(['unhandled-rejection', 'uncaught-exception'])(
    'that leaves an %s behind, in a process that listens for it, is like any other',
    async (name) => {
      const guarded = await start('guarded');
      await using monque = new Monque(database.db);
      await monque.initialize();
      for (const _ of ['first', 'second']) {
        const { _id } = await monque.enqueue(name, {});
        const job = await monque.waitForJob(_id, { timeout: DEADLINE });
        expect(job).toMatchObject({ status: 'completed', result: 'guarded', failCount: 0 });
      }
      expect(guarded.messages.filter((message) => message === 'Error: left behind')).toHaveLength(2);
    },
    90_000,
  );
});
