import { expect, test } from 'vitest';
import { suite } from '../bench.js';
import type { ConformanceSubject } from '../subject.js';
import { addClaimed, held, newToken } from './make-claims.js';
import { add, addOne, after, jobs, stored } from './make-jobs.js';
import { settle } from './make-settlements.js';

/** Progress and logs: what a run says of itself. */
export function noteTests(subject: ConformanceSubject): void {
  suite(subject, 'saveProgress', (bench) => {
    test('stores how far a run has come, while its claim holds', async () => {
      const job = await addClaimed(bench.store);
      const progress = { value: 40.5, message: 'Halfway', at: after(5) };
      expect(await bench.store.saveProgress(held(job), progress)).toBe(true);
      const now = await stored(bench.store, job);
      expect(now.progress).toStrictEqual(progress);
      expect(now).toMatchObject({ status: 'processing', claimToken: job.claimToken });
    });

    test('replaces what was said before, message and all', async () => {
      const job = await addClaimed(bench.store);
      await bench.store.saveProgress(held(job), { value: 40, message: 'Halfway', at: after(5) });
      await bench.store.saveProgress(held(job), { value: 50, at: after(6) });
      expect((await stored(bench.store, job)).progress).toStrictEqual({ value: 50, at: after(6) });
    });

    test('changes nothing once the claim no longer holds', async () => {
      const job = await addClaimed(bench.store);
      const progress = { value: 99, at: after(5) };
      expect(await bench.store.saveProgress({ id: job._id, token: newToken() }, progress)).toBe(false);
      const { job: settled } = await settle(bench.store, job, { type: 'completed' });
      expect(await bench.store.saveProgress(held(job), progress)).toBe(false);
      expect(await stored(bench.store, job)).toStrictEqual(settled);
      await bench.store.remove([job._id]);
      expect(await bench.store.saveProgress(held(job), progress)).toBe(false);
    });

    test('stays when the run ends', async () => {
      const job = await addClaimed(bench.store);
      const progress = { value: 100, at: after(5) };
      await bench.store.saveProgress(held(job), progress);
      const { job: settled } = await settle(bench.store, job, { type: 'completed' });
      expect(settled.progress).toStrictEqual(progress);
    });

    test('goes when a recurring job waits for its next occurrence', async () => {
      const job = await addClaimed(bench.store);
      await bench.store.saveProgress(held(job), { value: 100, at: after(5) });
      const { job: settled } = await settle(bench.store, job, { type: 'repeat', nextRunAt: after(9) });
      expect('progress' in settled).toBe(false);
    });
  });

  suite(subject, 'logs', (bench) => {
    const line = (jobId: unknown, number: number) =>
      ({ jobId, at: after(number), attempt: 1, level: 'info', text: `Line ${number}` }) as const;

    test('gives back the entries of a job, oldest first', async () => {
      const job = await addOne(bench.store);
      const other = await addOne(bench.store);
      const failure = {
        at: after(2),
        attempt: 2,
        level: 'error',
        text: 'broken',
        stack: 'Error: broken',
      } as const;
      await bench.store.appendLogs([line(job._id, 1), line(other._id, 9)]);
      await bench.store.appendLogs([{ jobId: job._id, ...failure }]);
      expect(await bench.store.logs(job._id)).toStrictEqual([
        { at: after(1), attempt: 1, level: 'info', text: 'Line 1' },
        failure,
      ]);
    });

    test('keeps the order of one batch, also within one millisecond', async () => {
      const job = await addOne(bench.store);
      const entries = Array.from({ length: 50 }, (_, number) => ({ ...line(job._id, number), at: after(0) }));
      await bench.store.appendLogs(entries);
      expect((await bench.store.logs(job._id)).map(({ text }) => text)).toEqual(
        entries.map(({ text }) => text),
      );
    });

    test('is empty for a job without any, and for one that does not exist', async () => {
      const job = await addOne(bench.store);
      expect(await bench.store.logs(job._id)).toEqual([]);
      await bench.store.remove([job._id]);
      expect(await bench.store.logs(job._id)).toEqual([]);
      await bench.store.appendLogs([]);
    });

    test('keeps the latest 1,000 of a job', async () => {
      const job = await addOne(bench.store);
      const other = await addOne(bench.store);
      await bench.store.appendLogs([line(other._id, 1)]);
      for (const start of [0, 400, 800]) {
        const entries = Array.from({ length: 400 }, (_, number) => line(job._id, start + number));
        await bench.store.appendLogs(entries);
      }
      const texts = (await bench.store.logs(job._id)).map(({ text }) => text);
      expect(texts).toHaveLength(1_000);
      expect([texts[0], texts.at(-1)]).toEqual(['Line 200', 'Line 1199']);
      expect(await bench.store.logs(other._id)).toHaveLength(1);
    });

    test('go with their job', async () => {
      const [a, b, c] = await add(bench.store, ...jobs(2), ...jobs(1, { name: 'kept' }));
      for (const job of [a, b, c]) await bench.store.appendLogs([line(job?._id, 1)]);
      await bench.store.remove([a?._id]);
      await bench.store.removeWhere({ name: 'work' }, 10);
      expect(await bench.store.logs(a?._id)).toEqual([]);
      expect(await bench.store.logs(b?._id)).toEqual([]);
      expect(await bench.store.logs(c?._id)).toHaveLength(1);
    });
  });
}
