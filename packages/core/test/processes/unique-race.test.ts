import { testDatabase } from '@monque/test-servers/vitest';
import { expect, test } from 'vitest';
import { spawnFixture } from './worker-process.js';

const KEYS = 1_000;
/** How often each process enqueues each key: 50 times in all. */
const TIMES = [17, 17, 16];

/** For each key the different ids that its callers were given, or the errors that they met. */
interface Answer {
  readonly given: readonly (readonly [key: string, ids: readonly string[]])[];
}

const database = testDatabase();

test('1,000 keys, each enqueued 50 times at once from three processes, make 1,000 jobs', async () => {
  // Each begins at another key, so that each is the first somewhere.
  const enqueuers = TIMES.map((times, index) => {
    const firstKey = Math.floor((index * KEYS) / TIMES.length);
    return spawnFixture('enqueuer', database, { args: [KEYS, firstKey, times].map(String) });
  });
  await Promise.all(enqueuers.map((one) => one.waitFor((message) => message === 'ready')));
  const startAt = Date.now() + 200;
  for (const one of enqueuers) one.send({ startAt });
  const answers = await Promise.all(
    enqueuers.map((one) => one.waitFor<Answer>((message) => typeof message === 'object', 60_000)),
  );

  const jobs = await database.db.collection('monque_jobs').find().toArray();
  expect(jobs).toHaveLength(KEYS);
  const idOfKey = Object.fromEntries(jobs.map((job) => [job.uniqueKey, [String(job._id)]]));
  for (const { given } of answers) expect(Object.fromEntries(given)).toEqual(idOfKey);
  // Who came first is chance, so it is told and not asserted: on a busy machine one process may have won every key.
  const winners = new Set(jobs.map((job) => job.data.pid)).size;
  console.log(`unique keys: ${winners} of ${TIMES.length} processes stored jobs`);
}, 90_000);
