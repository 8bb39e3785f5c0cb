import { expect, test } from 'vitest';
import type { ConformanceSubject } from '../subject.js';
import { apiSuite } from './instances.js';
import { nextEvent } from './signals.js';

export function transactionTests(subject: ConformanceSubject): void {
  if (!subject.transactions) return;
  apiSuite(subject, "the user's own transaction", (api) => {
    test('the job exists once it commits', async () => {
      const monque = await api.monque();
      const { session, commit } = await api.begin();
      const job = await monque.enqueue('work', { n: 1 }, { session });
      const before = monque.getJob(job._id);
      if (subject.transactions !== 'exclusive') expect(await before).toBeNull();
      await commit();
      await before;
      expect(await monque.getJob(job._id)).toStrictEqual(job);
    });

    test('the job never existed when it aborts', async () => {
      const monque = await api.monque();
      const { session, abort } = await api.begin();
      await monque.enqueue('work', { n: 1 }, { session, uniqueKey: 'key' });
      await monque.enqueueMany([{ name: 'work', data: 2, options: { session } }]);
      await abort();
      expect(await api.count()).toBe(0);
    });

    test.skipIf(subject.watch === false)('a committed job runs without waiting for a poll', async () => {
      const monque = await api.monque({ pollInterval: 600_000, safetyPollInterval: 600_000 });
      monque.register('work', () => {});
      const connected = nextEvent(monque, 'changestream:connected');
      monque.start();
      await connected;
      const { session, commit } = await api.begin();
      const job = await monque.enqueue('work', {}, { session });
      await commit();
      expect(await monque.waitForJob(job._id, { timeout: 8_000 })).toMatchObject({ status: 'completed' });
    });
  });
}
