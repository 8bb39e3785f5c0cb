import type { Insert, NewJob } from '@monque/core';
import { expect, test } from 'vitest';
import { suite } from '../bench.js';
import type { ConformanceSubject } from '../subject.js';
import { after, ids, keeping, newJob, only, stored } from './make-jobs.js';

/** A request for the one job of an identity. */
function identified(identity: string, parts: Partial<NewJob> = {}): Insert {
  return { job: newJob(parts), onDuplicate: 'keep', identity };
}

export function identityTests(subject: ConformanceSubject): void {
  suite(subject, 'jobs with an identity', (bench) => {
    test('a second one is the first, unchanged, also from another process', async () => {
      const first = only(await bench.store.insert([identified('a', { data: 1, recurringId: 'report' })]));
      expect(first.outcome).toBe('inserted');
      expect(await stored(bench.store, first.job)).toStrictEqual(first.job);
      expect(first.job).toMatchObject({ recurringId: 'report', data: 1 });
      const other = await bench.connect();
      const second = only(await other.insert([identified('a', { data: 2 })]));
      expect(second).toStrictEqual({ job: first.job, outcome: 'existing' });
    });

    test('also where it has become final since', async () => {
      const { job } = only(await bench.store.insert([identified('a')]));
      await bench.store.change([job._id], { type: 'cancel', running: false }, after(1));
      const again = only(await bench.store.insert([identified('a')]));
      expect(again.outcome).toBe('existing');
      expect(again.job.status).toBe('cancelled');
    });

    test('many processes at once make it once', async () => {
      const stores = await Promise.all(Array.from({ length: 6 }, () => bench.connect()));
      const identities = Array.from({ length: 20 }, (_, index) => `report ${index}`);
      const answers = await Promise.all(
        stores.map((store) => store.insert(identities.map((identity) => identified(identity)))),
      );
      const outcomes = answers.flat().map(({ outcome }) => outcome);
      expect(outcomes.filter((outcome) => outcome === 'inserted')).toHaveLength(20);
      expect(new Set(answers.map((answer) => ids(answer.map(({ job }) => job)).join())).size).toBe(1);
      expect((await bench.store.counts()).byStatus).toEqual({ pending: 20 });
    });

    test('identities, and the times of one, are told apart', async () => {
      const inserted = await bench.store.insert([
        identified('a'),
        identified('b'),
        identified('a', { nextRunAt: after(1_000) }),
        ...keeping(newJob(), newJob()),
      ]);
      expect(new Set(ids(inserted.map(({ job }) => job))).size).toBe(5);
      expect(new Set(inserted.map(({ outcome }) => outcome))).toEqual(new Set(['inserted']));
    });

    test('answers come in the order of the request, some new and some not', async () => {
      await bench.store.insert([identified('b', { data: 'old' }), identified('d', { data: 'old' })]);
      const inserted = await bench.store.insert([
        ...['a', 'b', 'c', 'd'].map((identity) => identified(identity, { data: identity })),
        ...keeping(newJob({ data: 'e' })),
      ]);
      expect(inserted.map(({ job, outcome }) => [job.data, outcome])).toEqual([
        ['a', 'inserted'],
        ['old', 'existing'],
        ['c', 'inserted'],
        ['old', 'existing'],
        ['e', 'inserted'],
      ]);
    });

    test('their ids sort by their times', async () => {
      const times = [5, 3, 1, 4, 2].map((day) => new Date(Date.UTC(2026, 0, day)));
      await bench.store.insert(times.map((nextRunAt) => identified(nextRunAt.toISOString(), { nextRunAt })));
      const page = await bench.store.page({ filter: {}, by: 'id', direction: 'asc', limit: 10 });
      expect(page.map(({ nextRunAt }) => nextRunAt.getUTCDate())).toEqual([1, 2, 3, 4, 5]);
    });
  });
}
