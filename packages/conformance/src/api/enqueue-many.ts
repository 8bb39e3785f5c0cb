import { DuplicateJobError, InvalidJobIdentifierError, InvalidOptionError } from '@monque/core';
import { expect, test } from 'vitest';
import type { ConformanceSubject } from '../subject.js';
import { apiSuite } from './instances.js';

const FUTURE = new Date('2999-01-01T00:00:00Z');

export function enqueueManyTests(subject: ConformanceSubject): void {
  apiSuite(subject, 'enqueueMany', (api) => {
    test('answers the stored jobs in order', async () => {
      const monque = await api.monque();
      const items = Array.from({ length: 2_500 }, (_, n) => ({ name: `name-${n % 3}`, data: { n } }));
      const jobs = await monque.enqueueMany(items);
      expect(jobs.map(({ name, data }) => ({ name, data }))).toEqual(items);
      expect(await api.count()).toBe(2_500);
      expect(await api.stored(jobs[7] ?? '')).toStrictEqual(jobs[7]);
    });

    test('takes the options of each item', async () => {
      const monque = await api.monque();
      const [a, b] = await monque.enqueueMany([
        { name: 'work', data: 1, options: { runAt: FUTURE, priority: 2 } },
        { name: 'work', data: 2, options: { hold: true } },
      ]);
      expect(a).toMatchObject({ nextRunAt: FUTURE, priority: 2, status: 'pending' });
      expect(b).toMatchObject({ status: 'created' });
    });

    test('resolves duplicates as enqueue does, stored ones and those of the same call', async () => {
      const monque = await api.monque();
      const existing = await monque.enqueue('work', 'existing', { uniqueKey: 'a' });
      const jobs = await monque.enqueueMany([
        { name: 'work', data: 'one', options: { uniqueKey: 'a' } },
        { name: 'work', data: 'two', options: { uniqueKey: 'b' } },
        { name: 'work', data: 'three' },
        { name: 'work', data: 'four', options: { uniqueKey: 'b' } },
      ]);
      expect(jobs.map(({ data }) => data)).toEqual(['existing', 'two', 'three', 'two']);
      expect(String(jobs[0]?._id)).toBe(String(existing._id));
      expect(String(jobs[3]?._id)).toBe(String(jobs[1]?._id));
      expect(await api.count()).toBe(3);
    });

    test('checks all items before any is written, and the error names the index', async () => {
      const monque = await api.monque();
      const good = { name: 'work', data: {} };
      const badName = monque.enqueueMany([good, good, { name: 'bad name', data: {} }]);
      await expect(badName).rejects.toThrow(InvalidJobIdentifierError);
      await expect(badName).rejects.toThrow(/2/);
      const badOption = monque.enqueueMany([good, { ...good, options: { delay: -1 } }]);
      await expect(badOption).rejects.toThrow(InvalidOptionError);
      await expect(badOption).rejects.toThrow(/1/);
      expect(await api.count()).toBe(0);
    });

    test('lets children of ended parents go, also where another item is refused', async () => {
      const monque = await api.monque();
      const parent = await monque.enqueue('work', 'parent');
      await monque.cancelJob(parent._id);
      await monque.enqueue('work', 'holder', { uniqueKey: 'key' });
      const options = { parent: { id: parent._id, on: 'any' } } as const;
      const refused = { uniqueKey: 'key', onDuplicate: 'reject' } as const;
      await expect(
        monque.enqueueMany([
          { name: 'child', data: 'child', options },
          { name: 'work', data: 'again', options: refused },
        ]),
      ).rejects.toThrow(DuplicateJobError);
      const [child] = await monque.getJobs({ name: 'child' });
      expect(child).toMatchObject({ status: 'pending' });
    });

    test('stores nothing for an empty list', async () => {
      const monque = await api.monque();
      expect(await monque.enqueueMany([])).toEqual([]);
    });

    test('wakes the engine', async () => {
      const monque = await api.monque({ pollInterval: 600_000, safetyPollInterval: 600_000 });
      monque.register('work', () => {});
      monque.start();
      const jobs = await monque.enqueueMany([
        { name: 'work', data: 1 },
        { name: 'work', data: 2 },
      ]);
      for (const { _id } of jobs) {
        expect(await monque.waitForJob(_id, { timeout: 5_000 })).toMatchObject({ status: 'completed' });
      }
    });
  });
}
