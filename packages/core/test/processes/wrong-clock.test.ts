import { type Script, testDatabase } from '@monque/test-servers/vitest';
import { describe, expect, test, vi } from 'vitest';
import { Monque } from '../../src/monque.js';
import { saidBy, spawnFixture, startWorkers, toldBy } from './worker-process.js';

const DAY = 86_400_000;
const LOCK_TIMEOUT = 1_000;

const CASES: readonly [off: string, shift: number][] = [
  ['a day ahead', DAY],
  ['a day behind', -DAY],
];

describe.each(CASES)('A process whose clock is %s', (_, shift) => {
  const database = testDatabase();
  const options = { lockTimeout: LOCK_TIMEOUT };

  async function startWrong(): Promise<Script> {
    const env = { CLOCK_SHIFT_MS: String(shift) };
    const wrong = spawnFixture('worker-with-wrong-clock', database, { options, env });
    await toldBy(wrong, 'ready');
    return wrong;
  }

  test('runs jobs when they are due, and nothing early', async () => {
    const wrong = await startWrong();
    await using monque = new Monque(database.db);
    await monque.initialize();
    const later = await monque.enqueue('note', {}, { delay: DAY / 2 });
    const due = await monque.enqueue('note', {});
    const soon = await monque.enqueue('hold', { ms: 0 }, { delay: 1_000 });

    await toldBy(wrong, 'started');
    const lateness = Date.now() - soon.nextRunAt.getTime();
    expect(lateness).toBeGreaterThanOrEqual(0);
    expect(lateness).toBeLessThan(15_000);
    const ran = await monque.waitForJob(soon._id, { timeout: 15_000 });
    for (const time of [ran!.executedAt!, ran!.finishedAt!, ran!.updatedAt]) {
      expect(Math.abs(time.getTime() - Date.now())).toBeLessThan(30_000);
    }
    expect(await monque.waitForJob(due._id, { timeout: 15_000 })).toMatchObject({ status: 'completed' });
    expect(await monque.getJob(later._id)).toMatchObject({ status: 'pending' });
    expect(saidBy([wrong], 'error')).toEqual([]);
  }, 40_000);

  test('takes nothing from a process that lives, and loses nothing to it', async () => {
    const [right] = await startWorkers(1, database, options);
    await using monque = new Monque(database.db);
    await monque.initialize();
    const jobs = [await monque.enqueue('hold', { ms: 4 * LOCK_TIMEOUT })];
    await toldBy(right!, 'started');
    const wrong = await startWrong();
    // The right one has free slots too: more jobs than it can take make sure that both hold some.
    for (let count = 0; count < 9; count++) jobs.push(await monque.enqueue('hold', { ms: 3 * LOCK_TIMEOUT }));
    await toldBy(wrong, 'started');

    for (const { _id } of jobs) {
      expect(await monque.waitForJob(_id, { timeout: 15_000 })).toMatchObject({ status: 'completed' });
    }
    expect(saidBy([right!, wrong], 'started')).toHaveLength(jobs.length);
    expect(saidBy([right!, wrong], 'recovered')).toEqual([]);
  }, 40_000);

  test('gives back what a dead process held', async () => {
    const wrong = await startWrong();
    const { insertedId } = await database.db.collection('monque_jobs').insertOne({
      name: 'note',
      data: {},
      status: 'processing',
      nextRunAt: new Date(Date.now() - 60_000),
      failCount: 0,
      claimedBy: 'dead',
      claimToken: 'of-the-dead',
      lockedAt: new Date(Date.now() - 5 * LOCK_TIMEOUT),
      lastHeartbeat: new Date(Date.now() - 5 * LOCK_TIMEOUT),
      createdAt: new Date(Date.now() - 60_000),
      updatedAt: new Date(Date.now() - 5 * LOCK_TIMEOUT),
    });
    await vi.waitFor(
      async () => {
        const job = await database.db.collection('monque_jobs').findOne({ _id: insertedId });
        expect(job).toMatchObject({ status: 'completed' });
      },
      { timeout: 10_000, interval: 50 },
    );
    expect(saidBy([wrong], 'recovered')).toEqual([{ type: 'recovered', count: 1 }]);
  }, 40_000);
});
