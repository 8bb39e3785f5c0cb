import { describe, expect, test } from 'vitest';
import type { MonqueOptions } from '../../src/options/monque-options.js';
import { memory } from '../../src/store/memory/memory-store.js';
import type { JobStore } from '../../src/store/port.js';
import { engineOn, withFaults } from './engine-on.js';
import { VirtualHost } from './virtual-host.js';

const JOB_MS = 200;
const RARE = Array.from({ length: 100 }, (_, index) => `rare-${index}`);

/** An engine whose jobs take a while, what it ran, and for how many names each claim was. */
async function busyEngine(options: MonqueOptions) {
  const host = new VirtualHost();
  const store: JobStore = memory({ clock: host.trueTime });
  const asked: number[] = [];
  const recorded = withFaults(store, {
    claim: (request) => {
      asked.push(request.wants.length);
      return store.claim(request);
    },
  });
  const under = await engineOn(recorded, host, options);
  const ran: string[] = [];
  const register = (...names: string[]) => {
    for (const name of names) {
      under.register(name, () => {
        ran.push(name);
        return new Promise<void>((resolve) => void host.after(JOB_MS, resolve));
      });
    }
  };
  return { ...under, host, ran, asked, register };
}

describe('under a limit of the process, a busy name', () => {
  test('does not starve another', async () => {
    const { engine, host, insert, ran, register } = await busyEngine({
      instanceConcurrency: 2,
      workerConcurrency: 5,
    });
    register('busy', 'rare');
    for (let index = 0; index < 200; index++) await insert('busy');
    await host.advance(10);
    await insert('rare');
    engine.start();
    await host.advance(1_000);
    expect(ran).toContain('rare');
  });

  test('starves none of a hundred, of which few are asked for at a time', async () => {
    const { engine, host, insert, ran, asked, register } = await busyEngine({
      instanceConcurrency: 20,
      workerConcurrency: 20,
    });
    register('busy', ...RARE);
    for (let index = 0; index < 2_000; index++) await insert('busy');
    await host.advance(10);
    for (const name of RARE) await insert(name);
    engine.start();
    await host.advance(5_000);
    expect(new Set(ran).size).toBe(1 + RARE.length);
    expect(Math.max(...asked.filter((names) => names <= RARE.length))).toBeLessThanOrEqual(16);
  });

  test('soon lets the one in that has something of a hundred, though slots become free one by one', async () => {
    const { engine, host, insert, ran, register } = await busyEngine({
      instanceConcurrency: 1,
      workerConcurrency: 1,
    });
    register('busy', ...RARE);
    for (let index = 0; index < 200; index++) await insert('busy');
    await host.advance(10);
    await insert('rare-99');
    engine.start();
    await host.advance(20 * JOB_MS);
    expect(ran).toContain('rare-99');
  });

  test('goes first as long as it has jobs with a priority, whoever was passed over before', async () => {
    const { engine, host, insert, ran, register } = await busyEngine({
      instanceConcurrency: 1,
      workerConcurrency: 1,
    });
    register('busy', ...RARE);
    for (let index = 0; index < 20; index++) await insert('busy');
    for (const name of RARE) await insert(name);
    engine.start();
    await host.advance(5 * JOB_MS);
    ran.length = 0;
    for (let index = 0; index < 10; index++) await insert('busy', { priority: 10 });
    await host.advance(11 * JOB_MS);
    // One may have been claimed before them.
    expect(ran.slice(1, 10)).toEqual(Array(9).fill('busy'));
  });
});
