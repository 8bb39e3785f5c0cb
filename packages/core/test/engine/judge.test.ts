import { describe, expect, test } from 'vitest';
import { memory } from '../../src/store/memory/memory-store.js';
import type { JobStore } from '../../src/store/port.js';
import { engineOn, withFaults } from './engine-on.js';
import { VirtualHost } from './virtual-host.js';

async function under(options = {}) {
  const host = new VirtualHost();
  const inner: JobStore = memory({ clock: host.trueTime });
  return { host, inner, engine: await engineOn(inner, host, options) };
}

describe('what becomes of a run', () => {
  test('counts attempts from zero where a document of others has no count', async () => {
    const { host, inner } = await under();
    const uncounted = withFaults(inner, {
      async claim(request) {
        const claimed = await inner.claim(request);
        // As MongoDB gives a document that was written by hand.
        for (const job of claimed.jobs) if (job.failCount === 0) Reflect.deleteProperty(job, 'failCount');
        return claimed;
      },
    });
    const engine = await engineOn(uncounted, host, { maxRetries: 3, baseRetryInterval: 1_000 });
    const attempts: number[] = [];
    engine.register('work', (_job, { attempt }) => {
      attempts.push(attempt);
      throw new Error('broken');
    });
    const job = await engine.insert('work');
    engine.engine.start();
    await host.advance(60_000);
    expect(attempts).toEqual([1, 2, 3]);
    expect(await engine.job(job._id)).toMatchObject({ status: 'failed', failCount: 3 });
  });

  test('is a retry at the end of the calendar where a backoff function goes beyond it', async () => {
    const { host, engine } = await under();
    engine.register(
      'work',
      () => {
        throw new Error('broken');
      },
      { backoff: () => 1e300 },
    );
    const job = await engine.insert('work');
    engine.engine.start();
    await host.advance(1_000);
    expect((await engine.job(job._id)).nextRunAt.getUTCFullYear()).toBe(9999);
    expect(engine.named('job:start')).toHaveLength(1);
  });

  test('is the next occurrence after the one that ran, also when the clock goes back', async () => {
    const { host, engine } = await under();
    let occurrence: Date | undefined;
    engine.register('minutely', (job) => {
      occurrence = job.nextRunAt;
      host.skew = -200;
    });
    const first = new Date(Math.ceil((host.trueTime() + 1) / 60_000) * 60_000);
    const job = await engine.insert('minutely', { repeatInterval: '* * * * *', nextRunAt: first });
    engine.engine.start();
    await host.advance(first.getTime() - host.trueTime() + 100);
    expect(occurrence).toEqual(first);
    expect((await engine.job(job._id)).nextRunAt).toEqual(new Date(first.getTime() + 60_000));
  });

  test('is not touched by progress that is no number, awaited or not', async () => {
    const { host, engine } = await under();
    let caught: unknown;
    engine.register('work', async (_job, { progress }) => {
      void progress(Number.NaN);
      await progress(120).catch((error: unknown) => {
        caught = error;
      });
    });
    const job = await engine.insert('work');
    engine.engine.start();
    await host.advance(1_000);
    expect((await engine.job(job._id)).status).toBe('completed');
    expect(caught).toMatchObject({ code: 'MONQUE_INVALID_OPTION' });
    expect(engine.named('job:error')).toHaveLength(2);
  });
});
