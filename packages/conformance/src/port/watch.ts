import type { JobStore, Subscription } from '@monque/core';
import { afterEach, expect, test } from 'vitest';
import { suite } from '../bench.js';
import { eventually } from '../eventually.js';
import type { ConformanceSubject } from '../subject.js';
import { addClaimed, held } from './make-claims.js';
import { add, addOne, after, jobs, newJob, PAST } from './make-jobs.js';
import { settle } from './make-settlements.js';

const FUTURE = new Date('2999-01-01T00:00:00Z');

/** What an observer was told. */
class Notes {
  readonly due: { nextRunAt: Date; name: string | undefined }[] = [];
  readonly stopped: string[] = [];
  readonly lost: Error[] = [];

  get observer() {
    return {
      due: (nextRunAt: Date, name: string | undefined) => void this.due.push({ nextRunAt, name }),
      stopped: (id: unknown) => void this.stopped.push(String(id)),
      lost: (error: Error) => void this.lost.push(error),
    };
  }

  hasDue(time: Date): boolean {
    return this.due.some(({ nextRunAt }) => nextRunAt.getTime() === time.getTime());
  }

  /** A store that sees only what a write changed does not know a due time that stayed, and says an earlier one. */
  hasDueBy(time: Date): boolean {
    return this.due.some(({ nextRunAt }) => nextRunAt <= time);
  }
}

export function watchTests(subject: ConformanceSubject): void {
  if (subject.watch === false) {
    suite(subject, 'watch', (bench) => {
      test('is refused with WatchUnsupportedError', async () => {
        await expect(bench.store.watch(new Notes().observer)).rejects.toMatchObject({
          code: 'MONQUE_WATCH_UNSUPPORTED',
        });
      });
    });
    return;
  }

  suite(subject, 'watch', (bench) => {
    const subscriptions: Subscription[] = [];
    const watch = async (store: JobStore) => {
      const notes = new Notes();
      const subscription = await store.watch(notes.observer);
      subscriptions.push(subscription);
      return { notes, subscription };
    };
    afterEach(async () => {
      for (const subscription of subscriptions.splice(0)) await subscription.close();
    });

    test('tells of a new job and its time, whichever process stored it', async () => {
      const other = await bench.connect();
      const { notes } = await watch(bench.store);
      await addOne(other, { nextRunAt: after(321) });
      await eventually(() => notes.hasDue(after(321)));
      expect(notes.due.every(({ name }) => name === undefined || name === 'work')).toBe(true);
    });

    test.each([
      { type: 'repeat', nextRunAt: FUTURE },
      { type: 'retry', nextRunAt: FUTURE, failCount: 1, reason: 'broken' },
      { type: 'snoozed', nextRunAt: FUTURE },
      { type: 'failed', nextRunAt: FUTURE, failCount: 1, reason: 'broken' },
    ] as const)('tells of a job that waits again: $type', async (outcome) => {
      const job = await addClaimed(bench.store);
      const { notes } = await watch(bench.store);
      await settle(bench.store, job, outcome);
      await eventually(() => notes.hasDue(FUTURE));
    });

    test.each(['release', 'recover'] as const)(
      'tells of a job that goes back to pending: %s',
      async (how) => {
        const job = await addClaimed(bench.store, { nextRunAt: after(11) });
        const { notes } = await watch(bench.store);
        await eventually(async () => {
          if (how === 'release') await bench.store.release([held(job)], PAST);
          else
            await bench.store.recover({ now: await bench.store.now(), lockTimeout: 1, legacyLockTimeout: 1 });
          return notes.hasDueBy(after(11));
        });
      },
    );

    test('tells of a job that people set to run: retry, reschedule', async () => {
      const failed = await addClaimed(bench.store);
      await settle(bench.store, failed, { type: 'failed', failCount: 1, reason: 'broken' });
      const waiting = await addOne(bench.store, { nextRunAt: FUTURE });
      const { notes } = await watch(bench.store);
      await bench.store.change([failed._id], { type: 'retry' }, after(11));
      await bench.store.change([waiting._id], { type: 'reschedule', runAt: after(22) }, PAST);
      await eventually(() => [11, 22].every((time) => notes.hasDue(after(time))));
    });

    test('tells of a held job that is released', async () => {
      const held = await addOne(bench.store, { status: 'created', nextRunAt: after(33) });
      const { notes } = await watch(bench.store);
      await bench.store.change([held._id], { type: 'release' }, PAST);
      await eventually(() => notes.hasDueBy(after(33)));
    });

    test('tells of many jobs that a bulk change sets to run', async () => {
      await add(bench.store, ...jobs(10, { status: 'created' }));
      const { notes } = await watch(bench.store);
      await bench.store.changeWhere({}, { type: 'release' }, after(44), 100);
      await eventually(() => notes.hasDue(after(44)));
    });

    test('tells of a running job that was cancelled or removed', async () => {
      const other = await bench.connect();
      const cancelled = await addClaimed(bench.store);
      const removed = await addClaimed(bench.store);
      const { notes } = await watch(bench.store);
      await other.change([cancelled._id], { type: 'cancel', running: true }, PAST);
      await other.remove([removed._id]);
      await eventually(() => {
        expect(notes.stopped).toEqual(expect.arrayContaining([String(cancelled._id), String(removed._id)]));
      });
    });

    test('does not tell of a held job', async () => {
      const { notes } = await watch(bench.store);
      await add(
        bench.store,
        newJob({ status: 'created', nextRunAt: after(1) }),
        newJob({ nextRunAt: after(2) }),
      );
      await eventually(() => notes.hasDue(after(2)));
      expect(notes.hasDue(after(1))).toBe(false);
    });

    test('tells every subscriber', async () => {
      const other = await bench.connect();
      const [a, b] = [await watch(bench.store), await watch(other)];
      await addOne(bench.store, { nextRunAt: after(5) });
      await eventually(() => a.notes.hasDue(after(5)) && b.notes.hasDue(after(5)));
    });

    test('tells nothing after close, which may be called twice', async () => {
      const closed = await watch(bench.store);
      const open = await watch(bench.store);
      await closed.subscription.close();
      await closed.subscription.close();
      await addOne(bench.store, { nextRunAt: after(6) });
      await eventually(() => open.notes.hasDue(after(6)));
      expect(closed.notes.hasDue(after(6))).toBe(false);
      expect(closed.notes.lost).toEqual([]);
    });
  });
}
