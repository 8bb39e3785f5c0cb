import { expect, test } from 'vitest';
import { eventually } from '../eventually.js';
import type { ConformanceSubject } from '../subject.js';
import { apiSuite } from './instances.js';
import { gate, nextEvent } from './signals.js';

export function handlerContextTests(subject: ConformanceSubject): void {
  apiSuite(subject, 'the handler', (api) => {
    test('gets the signal, the attempt and the instance', async () => {
      const monque = await api.monque();
      let seen: unknown;
      monque.register('work', (_, context) => {
        seen = { ...context, aborted: context.signal.aborted };
      });
      await monque.enqueue('work', {});
      await monque.drain();
      expect(seen).toMatchObject({ attempt: 1, monque, aborted: false });
    });

    test('may pass its context on, copied or wrapped', async () => {
      const monque = await api.monque();
      let signals: AbortSignal[] = [];
      monque.register('work', (_, context) => {
        const wrapped: typeof context = Object.create(context);
        signals = [{ ...context }.signal, wrapped.signal, context.signal];
      });
      await monque.enqueue('work', {});
      await monque.drain();
      expect(signals[0]).toBeInstanceOf(AbortSignal);
      expect(new Set(signals).size).toBe(1);
    });

    test('may enqueue further jobs', async () => {
      const monque = await api.monque();
      const seen: unknown[] = [];
      monque.register('first', (_, context) => context.monque.enqueue('second', 'from first').then(() => {}));
      monque.register('second', ({ data }) => void seen.push(data));
      await monque.enqueue('first', {});
      await monque.drain();
      expect(seen).toEqual(['from first']);
    });

    const results: readonly unknown[] = [0, '', false, null, 'text', [1, null], { nested: { a: 1 } }];
    test.each(results.map((result) => ({ result })))(
      'its return value is stored as result: $result',
      async ({ result }) => {
        const monque = await api.monque();
        monque.register('work', async () => result);
        const job = await monque.enqueue('work', {});
        await monque.drain();
        expect((await api.stored(job)).result).toStrictEqual(result);
      },
    );

    test('without a return value there is no result', async () => {
      const monque = await api.monque();
      monque.register('work', () => undefined);
      const job = await monque.enqueue('work', {});
      await monque.drain();
      expect(await api.stored(job)).not.toHaveProperty('result');
    });

    const circular: Record<string, unknown> = {};
    circular.self = circular;
    test.each([
      { what: 'has a cycle', result: circular },
      { what: 'holds a function', result: { run: () => {} } },
      { what: 'is too large', result: 'x'.repeat(5_000) },
    ])('a result that $what fails the run with a clear reason, without retries', async ({ result }) => {
      const monque = await api.monque({ maxPayloadSize: 1_000, maxRetries: 10 });
      monque.register('work', () => result);
      const job = await monque.enqueue('work', {});
      await monque.drain();
      const document = await api.stored(job);
      expect(document).toMatchObject({ status: 'failed', failCount: 1 });
      expect(document.failReason).toMatch(/result/i);
      expect(document).not.toHaveProperty('result');
    });

    test('progress() is stored with its time while the job runs', async () => {
      const monque = await api.monque();
      const { opened, open } = gate();
      monque.register('work', async (_, { progress }) => {
        await progress(40, 'Halfway');
        await opened;
      });
      const job = await monque.enqueue('work', {});
      monque.start();
      await eventually(async () => {
        const { status, progress } = await api.stored(job);
        expect(status).toBe('processing');
        expect(progress).toStrictEqual({ value: 40, message: 'Halfway', at: expect.any(Date) });
      });
      open();
      await nextEvent(monque, 'job:complete');
    });

    test('log() is kept for getJobLogs, with the time and the attempt', async () => {
      const monque = await api.monque({ baseRetryInterval: 1 });
      monque.register('work', async (_, { attempt, log }) => {
        await log(`attempt ${attempt}`);
        if (attempt === 1) throw new Error('broken');
      });
      const job = await monque.enqueue('work', {});
      monque.start();
      await nextEvent(monque, 'job:complete');
      await eventually(async () => expect(await monque.getJobLogs(job._id)).toHaveLength(3));
      const logs = await monque.getJobLogs(String(job._id));
      expect(logs.map(({ attempt, level, text }) => ({ attempt, level, text }))).toEqual([
        { attempt: 1, level: 'info', text: 'attempt 1' },
        { attempt: 1, level: 'error', text: 'broken' },
        { attempt: 2, level: 'info', text: 'attempt 2' },
      ]);
      expect(logs[1]?.stack).toContain('broken');
      expect(logs.every(({ at }) => at instanceof Date)).toBe(true);
    });

    test('every failed attempt leaves a log entry, and the log goes with the job', async () => {
      const monque = await api.monque({ baseRetryInterval: 1, maxRetries: 3 });
      monque.register('work', (_, { attempt }) => {
        throw new Error(`attempt ${attempt}`);
      });
      const job = await monque.enqueue('work', {});
      monque.start();
      await nextEvent(monque, 'job:fail', ({ willRetry }) => !willRetry);
      await eventually(async () => expect(await monque.getJobLogs(job._id)).toHaveLength(3));
      const logs = await monque.getJobLogs(job._id);
      expect(logs.map(({ text }) => text)).toEqual(['attempt 1', 'attempt 2', 'attempt 3']);
      await monque.deleteJob(job._id);
      expect(await monque.getJobLogs(job._id)).toEqual([]);
    });

    test('getJobLogs of an id of the wrong form is empty', async () => {
      expect(await (await api.monque()).getJobLogs('nonsense')).toEqual([]);
    });
  });
}
