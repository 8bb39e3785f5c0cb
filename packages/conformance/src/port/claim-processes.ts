import { expect, test } from 'vitest';
import { suite } from '../bench.js';
import type { ConformanceSubject } from '../subject.js';
import { claim, claimAll, claimUntilDone } from './make-claims.js';
import { add, addOne, ids, jobs, newJob, only } from './make-jobs.js';

/** Often enough that two processes meet over the same jobs. */
const ROUNDS = 5;

export function claimProcessesTests(subject: ConformanceSubject): void {
  suite(subject, 'claim by several processes', (bench) => {
    test('gives each due job to one owner only', async () => {
      const other = await bench.connect();
      await add(bench.store, ...jobs(1_000));
      const owners = await Promise.all([
        claimAll(bench.store, 'a'),
        claimAll(other, 'b'),
        claimAll(bench.store, 'c'),
        claimAll(other, 'd'),
      ]);
      const all = ids(owners.flat());
      expect(all).toHaveLength(1_000);
      expect(new Set(all).size).toBe(1_000);
      expect((await bench.store.counts()).byStatus).toEqual({ processing: 1_000 });
    });

    test('answers exactly the jobs that are stored as held by it', async () => {
      const other = await bench.connect();
      await add(bench.store, ...jobs(300));
      const [a, b] = await Promise.all([claimAll(bench.store, 'a', 40), claimAll(other, 'b', 40)]);
      for (const [owner, claimed] of [
        ['a', a],
        ['b', b],
      ] as const) {
        const now = await bench.store.get(claimed.map(({ _id }) => _id));
        expect(now.every((job) => job.claimedBy === owner && job.status === 'processing')).toBe(true);
      }
    });

    test('gives the single due job to one of twenty', async () => {
      const other = await bench.connect();
      await addOne(bench.store);
      const results = await Promise.all(
        Array.from({ length: 20 }, (_, turn) => claim(turn % 2 ? other : bench.store, { owner: `o${turn}` })),
      );
      only(results.flatMap(({ jobs: claimed }) => claimed));
    });

    test.each([
      { what: 'one job each', priorityOf: () => ({}) },
      {
        what: 'one job each, of several priorities',
        priorityOf: (index: number) => ({ priority: index % 7 }),
      },
    ])('leaves nothing behind where names compete: $what', async ({ priorityOf }) => {
      const other = await bench.connect();
      const names = Array.from({ length: 60 }, (_, number) => `name-${number}`);
      const wants = names.map((name) => ({ name, limit: 10 }));
      for (let round = 1; round <= ROUNDS; round++) {
        await add(bench.store, ...names.map((name, index) => newJob({ name, ...priorityOf(index) })));
        // One of them may find all that it has chosen taken; then it must say that it has not seen everything.
        await Promise.all([bench.store, other].map((store) => claimUntilDone(store, { wants, total: 30 })));
        expect((await bench.store.counts()).byStatus).toEqual({ processing: round * names.length });
      }
    });
  });
}
