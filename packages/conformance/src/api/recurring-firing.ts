import { getNextCronDate } from '@monque/core';
import { expect, test } from 'vitest';
import { eventually } from '../eventually.js';
import type { ConformanceSubject } from '../subject.js';
import { apiSuite, type Instances } from './instances.js';
import { collect, nextEvent } from './signals.js';

/** Fires long after every test has ended. */
const YEARLY = { cron: '0 0 1 1 *', name: 'report' };
const EVERY_SECOND = { cron: '* * * * * *', name: 'tick' };

export function recurringFiringTests(subject: ConformanceSubject): void {
  apiSuite(subject, 'recurring templates that fire', firingTests);
}

function firingTests(api: Instances): void {
  /** The times for which jobs of a template were made, in milliseconds, in order. */
  const times = async (id: string): Promise<number[]> => {
    const jobs = await api.store.page({ filter: {}, by: 'nextRunAt', direction: 'asc', limit: 1_000 });
    return jobs.filter(({ recurringId }) => recurringId === id).map(({ nextRunAt }) => nextRunAt.getTime());
  };

  test('two processes make one job for each second, run it, and tell of it once', async () => {
    const instances = [await api.monque(), await api.monque()];
    const fired = instances.map((monque) => collect(monque, 'recurring:fired'));
    const runs: unknown[] = [];
    for (const monque of instances) monque.register('tick', (job) => void runs.push(job.recurringId));
    await instances[0]?.recurring.upsert('ticker', { ...EVERY_SECOND, data: { n: 1 } });
    for (const monque of instances) monque.start();
    await eventually(() => expect(runs.length).toBeGreaterThanOrEqual(3), { within: 15_000 });
    for (const monque of instances) await monque.stop();
    const made = await times('ticker');
    const [first = 0] = made;
    expect(made).toEqual(made.map((_, index) => first + index * 1_000));
    expect(fired.flat()).toHaveLength(made.length);
    expect(fired.flat().every(({ id, at, job }) => id === 'ticker' && +at === +job.nextRunAt)).toBe(true);
    expect(new Set(runs)).toEqual(new Set(['ticker']));
    const template = await instances[0]?.recurring.get('ticker');
    expect(template?.lastExecution?.getTime()).toBe(made.at(-1));
    expect(template?.nextExecution?.getTime()).toBe((made.at(-1) ?? 0) + 1_000);
  });

  test('a template whose jobs have no worker yet still fires', async () => {
    const monque = await api.monque();
    monque.start();
    const fired = nextEvent(monque, 'recurring:fired');
    await monque.recurring.upsert('ticker', EVERY_SECOND);
    expect((await fired).job).toMatchObject({ name: 'tick', status: 'pending' });
  });

  test('one that others wrote without a next time gets one', async () => {
    const monque = await api.monque();
    await api.writeTemplate('theirs', { cron: '0 0 1 1 *', name: 'report', enabled: true });
    monque.start();
    const nextExecution = getNextCronDate(YEARLY.cron, await api.store.now());
    await eventually(async () => {
      expect(await monque.recurring.get('theirs')).toMatchObject({ nextExecution });
    });
    expect(await api.count()).toBe(0);
  });

  test.each([
    ['once', 1],
    ['skip', 0],
    ['all', 3],
  ] as const)('times that were missed, misfire %s: %i', async (misfire, count) => {
    const monque = await api.monque();
    await monque.recurring.upsert('report', { ...YEARLY, misfire });
    const year = (await api.store.now()).getUTCFullYear();
    await api.writeTemplate('report', { nextExecution: new Date(Date.UTC(year - 2, 0, 1)) });
    monque.start();
    await eventually(async () => {
      expect((await monque.recurring.get('report'))?.nextExecution).toEqual(
        new Date(Date.UTC(year + 1, 0, 1)),
      );
    });
    expect(await times('report')).toEqual(
      [2, 1, 0].slice(3 - count).map((ago) => Date.UTC(year - ago, 0, 1)),
    );
  });

  test('every way to end a template takes effect on another process within one poll', async () => {
    const [caller, firing] = [await api.monque(), await api.monque({ pollInterval: 200 })];
    const ends: Record<string, () => Promise<unknown>> = {
      paused: () => caller.recurring.pause('paused'),
      removed: () => caller.recurring.remove('removed'),
      changed: () => caller.recurring.upsert('changed', YEARLY),
      'paused by hand': () => api.writeTemplate('paused by hand', { enabled: false }),
      'changed by hand': () => api.writeTemplate('changed by hand', { cron: YEARLY.cron }),
    };
    const ids = [...Object.keys(ends), 'goes on'];
    for (const id of ids) await caller.recurring.upsert(id, EVERY_SECOND);
    const fired = collect(firing, 'recurring:fired');
    firing.start();
    await eventually(() => expect(new Set(fired.map(({ id }) => id))).toEqual(new Set(ids)), {
      within: 15_000,
    });
    for (const end of Object.values(ends)) await end();
    const ended = (await api.store.now()).getTime();
    // A second of patience with a process that read a template just before; then two times pass.
    const later = () => fired.filter(({ at }) => at.getTime() > ended + 1_500).map(({ id }) => id);
    await eventually(() => later().length >= 2, { within: 15_000 });
    expect(new Set(later())).toEqual(new Set(['goes on']));
  });

  test('one that cannot fire is told once, and the others go on', async () => {
    const monque = await api.monque({ pollInterval: 50 });
    const errors = collect(monque, 'recurring:error');
    await api.writeTemplate('broken', { cron: 'at noon', name: 'report', enabled: true });
    await monque.recurring.upsert('ticker', EVERY_SECOND);
    const fired = collect(monque, 'recurring:fired');
    monque.start();
    await eventually(() => expect(fired.length).toBeGreaterThanOrEqual(2), { within: 15_000 });
    expect(errors.map(({ id, error }) => [id, error.name])).toEqual([['broken', 'InvalidCronError']]);
    await api.writeTemplate('broken', { cron: '* * * * *', name: 'not a name' });
    await eventually(() =>
      expect(errors.map(({ error }) => error.name)[1]).toBe('InvalidJobIdentifierError'),
    );
    await monque.recurring.upsert('broken', { cron: '@yearly', name: 'report' });
    expect(new Set(fired.map(({ id }) => id))).toEqual(new Set(['ticker']));
  });
}
