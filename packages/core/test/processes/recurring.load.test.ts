import { testDatabase } from '@monque/test-servers/vitest';
import { expect, test, vi } from 'vitest';
import { Monque } from '../../src/monque.js';
import { readLedger, saidBy, startWorkers } from './worker-process.js';

/** How long the template fires; the requirement is a minute, which `MONQUE_RECURRING_SECONDS=60` takes. */
const SECONDS = Number(process.env.MONQUE_RECURRING_SECONDS ?? 20);

const database = testDatabase();

test(
  `three processes make one job for each of ${SECONDS} seconds, though one of them is killed`,
  async () => {
    const [victim, ...survivors] = await startWorkers(3, database, { lockTimeout: 1_500 });
    await using monque = new Monque(database.db, { statsCacheTtlMs: 0 });
    await monque.initialize();
    await monque.recurring.upsert('ticker', { cron: '* * * * * *', name: 'note' });
    const made = () => database.db.collection('monque_jobs').find({ recurringId: 'ticker' }).toArray();
    const whenMade = (count: number) =>
      vi.waitFor(async () => expect((await made()).length).toBeGreaterThanOrEqual(count), {
        timeout: (SECONDS + 30) * 1_000,
        interval: 50,
      });

    await whenMade(SECONDS / 2);
    victim!.kill('SIGKILL');
    await victim!.exited;
    await whenMade(SECONDS);
    await monque.recurring.pause('ticker');
    const jobs = (await made()).length;
    await vi.waitFor(
      async () => expect((await monque.getQueueStats()).completed).toBeGreaterThanOrEqual(jobs),
      {
        timeout: 20_000,
        interval: 50,
      },
    );

    // None double, and none missing: from the first to the last, a second lies between each and the next.
    const times = (await made()).map(({ nextRunAt }) => Number(nextRunAt)).toSorted((a, b) => a - b);
    const [first = 0] = times;
    expect(times).toEqual(times.map((_, index) => first + index * 1_000));
    expect(times.length).toBeGreaterThanOrEqual(SECONDS);
    const ledger = (await readLedger(database)).map(({ job }) => String(job));
    expect(new Set(ledger).size).toBe(times.length);
    // What the killed process ran may have begun once more, and nothing else.
    const recovered = saidBy(survivors, 'recovered').reduce((sum, { count }) => sum + count, 0);
    expect(ledger.length).toBeLessThanOrEqual(times.length + recovered);
    expect(saidBy(survivors, 'error')).toEqual([]);
    expect(saidBy(survivors, 'failed')).toEqual([]);
  },
  (SECONDS + 90) * 1_000,
);
