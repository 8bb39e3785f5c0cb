import { expect, test } from 'vitest';
import { type Bench, suite } from '../bench.js';
import type { ConformanceSubject, TemplateFields } from '../subject.js';
import { addOne, after, PAST } from './make-jobs.js';
import { newTemplate, storedTemplate, templateIds } from './make-templates.js';

export function recurringStoreTests(subject: ConformanceSubject): void {
  suite(subject, 'recurring templates', (bench) => {
    keepTests(bench);
    pauseTests(bench);
    dueTests(bench);
    advanceTests(bench);
  });
}

function keepTests(bench: Bench): void {
  test('a new one is kept with every field, and enabled', async () => {
    const change = newTemplate('report', {
      cron: '30 2 * * *',
      timezone: 'Europe/Berlin',
      data: { to: 'Ada', list: [1, null, 'Grüße'] },
      maxRetries: 4,
      misfire: 'all',
      nextExecution: after(5_000),
    });
    const stored = await bench.store.recurring.put(change);
    const { at: _, ...given } = change;
    const planned = { cron: '30 2 * * *', timezone: 'Europe/Berlin' };
    expect(stored).toStrictEqual({ ...given, enabled: true, planned, createdAt: PAST, updatedAt: PAST });
    expect(await storedTemplate(await bench.connect(), 'report')).toStrictEqual(stored);
  });

  test('without options it has no others', async () => {
    await bench.store.recurring.put(newTemplate('report'));
    const { at: _, ...given } = newTemplate('report');
    expect(await storedTemplate(bench.store, 'report')).toStrictEqual({
      ...given,
      enabled: true,
      createdAt: PAST,
      updatedAt: PAST,
    });
  });

  test('a change leaves its age, its latest job, and what it does not mention', async () => {
    const templates = bench.store.recurring;
    await templates.put(newTemplate('report', { maxRetries: 4, enabled: false, nextExecution: after(1) }));
    const job = await addOne(bench.store);
    await templates.noteFired('report', { at: PAST, jobId: job._id });
    const changed = await templates.put(newTemplate('report', { name: 'other', data: [1], at: after(9) }));
    expect(changed).toMatchObject({
      name: 'other',
      data: [1],
      enabled: false,
      nextExecution: after(1),
      lastExecution: PAST,
      createdAt: PAST,
      updatedAt: after(9),
    });
    expect(String(changed.lastJobId)).toBe(String(job._id));
    expect(changed).not.toHaveProperty('maxRetries');
    expect(await storedTemplate(bench.store, 'report')).toStrictEqual(changed);
  });

  test('the same one stored by many processes at once is one', async () => {
    const stores = await Promise.all(Array.from({ length: 8 }, () => bench.connect()));
    await Promise.all(
      stores.map((store) => store.recurring.put(newTemplate('report', { nextExecution: after(1) }))),
    );
    expect(templateIds(await bench.store.recurring.list())).toEqual(['report']);
  });

  test('ids differ where any character does', async () => {
    const ids = ['Report', 'report', 'réport', 'r'.repeat(200), '報告', 'a b', "o'neil", 'x%', 'x_'];
    for (const id of ids) await bench.store.recurring.put(newTemplate(id, { data: id }));
    for (const id of ids) expect((await storedTemplate(bench.store, id)).data).toBe(id);
    expect(await bench.store.recurring.list()).toHaveLength(ids.length);
  });

  test('all are listed in the order of their ids', async () => {
    for (const id of ['b', 'a-2', 'c', 'a-1']) await bench.store.recurring.put(newTemplate(id));
    expect(templateIds(await bench.store.recurring.list())).toEqual(['a-1', 'a-2', 'b', 'c']);
  });

  test('one is removed, and the others stay', async () => {
    for (const id of ['a', 'b']) await bench.store.recurring.put(newTemplate(id));
    expect(await bench.store.recurring.remove('a')).toBe(true);
    expect(await bench.store.recurring.remove('a')).toBe(false);
    expect(await bench.store.recurring.get('a')).toBeUndefined();
    expect(templateIds(await bench.store.recurring.list())).toEqual(['b']);
  });

  test('one of others reads with the defaults, and says where its payload cannot be read', async () => {
    const enabled = { cron: '0 * * * *', name: 'work', enabled: true };
    await bench.writeTemplate('theirs', { ...enabled, createdAt: PAST });
    expect(await storedTemplate(bench.store, 'theirs')).toMatchObject({
      cron: '0 * * * *',
      name: 'work',
      data: null,
      timezone: 'UTC',
      misfire: 'once',
      enabled: true,
    });
    await bench.writeTemplate('theirs', { unreadable: 'no JSON' });
    await bench.store.recurring.put(newTemplate('theirs', { data: { fine: true } }));
    const repaired = await storedTemplate(bench.store, 'theirs');
    expect(repaired.data).toEqual({ fine: true });
  });
}

function pauseTests(bench: Bench): void {
  test('one that is paused keeps its next time, and one that is resumed gets another', async () => {
    const templates = bench.store.recurring;
    await templates.put(newTemplate('report', { nextExecution: after(1) }));
    expect(await templates.setEnabled('report', false, after(2))).toMatchObject({
      enabled: false,
      nextExecution: after(1),
      updatedAt: after(2),
    });
    expect(await templates.setEnabled('report', false, after(3))).toBeUndefined();
    const resumed = await templates.setEnabled('report', after(9), after(4));
    expect(resumed).toMatchObject({ enabled: true, nextExecution: after(9), updatedAt: after(4) });
    expect(await templates.setEnabled('report', after(10), after(5))).toBeUndefined();
    expect(await storedTemplate(bench.store, 'report')).toStrictEqual(resumed);
    expect(await templates.setEnabled('missing', after(1), after(1))).toBeUndefined();
  });
}

function dueTests(bench: Bench): void {
  const due = (until: Date, limit = 100) => bench.store.recurring.due({ until, limit });

  test('those whose next time comes until then are due, and those without one', async () => {
    const templates = bench.store.recurring;
    await templates.put(newTemplate('earlier', { nextExecution: after(-1) }));
    await templates.put(newTemplate('later', { nextExecution: after(1) }));
    await templates.put(newTemplate('paused', { nextExecution: after(-1), enabled: false }));
    await templates.put(newTemplate('then', { nextExecution: after(0) }));
    await templates.put(newTemplate('unknown'));
    expect(templateIds(await due(after(0)))).toEqual(['earlier', 'then', 'unknown']);
    expect((await due(after(0)))[0]).toStrictEqual(await storedTemplate(bench.store, 'earlier'));
  });

  test('they come in pages, in the order of their ids', async () => {
    const ids = Array.from({ length: 7 }, (_, index) => `report-${index}`);
    for (const id of ids) await bench.store.recurring.put(newTemplate(id, { nextExecution: PAST }));
    expect(templateIds(await due(PAST, 3))).toEqual(ids.slice(0, 3));
    const rest = await bench.store.recurring.due({ until: PAST, limit: 100, after: ids[2] ?? '' });
    expect(templateIds(rest)).toEqual(ids.slice(3));
  });

  test.each([
    ['another cron text', { cron: '* * * * *' }],
    ['another time zone', { timezone: 'Europe/Berlin' }],
    ['a time zone', { timezone: 'Asia/Tokyo' }],
    ['no next time', { nextExecution: undefined }],
    ['an earlier next time', { nextExecution: after(-60_000) }],
  ])('one that got %s by hand is due for a look', async (_, change) => {
    await bench.store.recurring.put(newTemplate('report', { nextExecution: after(60_000) }));
    expect(await due(PAST)).toEqual([]);
    await bench.writeTemplate('report', change);
    expect(templateIds(await due(PAST))).toEqual(['report']);
  });

  test('one that was paused by hand is not', async () => {
    await bench.store.recurring.put(newTemplate('report', { nextExecution: PAST }));
    await bench.writeTemplate('report', { enabled: false });
    expect(await due(PAST)).toEqual([]);
  });

  test('one of others is due for a look, whatever its next time, until it has been looked at', async () => {
    const [enabled, nextExecution] = [true, after(60_000)];
    const theirs = { cron: '0 * * * *', name: 'work', enabled, nextExecution };
    await bench.writeTemplate('theirs', { ...theirs, createdAt: PAST });
    const [template] = await due(PAST);
    expect(template).toMatchObject({ id: 'theirs', nextExecution });
    expect(template).not.toHaveProperty('planned');
    if (template === undefined) return;
    await bench.store.recurring.advance([{ template, next: nextExecution }]);
    expect(await due(PAST)).toEqual([]);
  });
}

function advanceTests(bench: Bench): void {
  test('a step sets the next time and the latest job, and leaves the rest', async () => {
    const templates = bench.store.recurring;
    const template = await templates.put(newTemplate('report', { nextExecution: PAST, maxRetries: 2 }));
    const { _id: jobId } = await addOne(bench.store);
    await templates.advance([{ template, next: after(60_000), last: { at: PAST, jobId } }]);
    const stepped = await storedTemplate(bench.store, 'report');
    expect(stepped).toStrictEqual({
      ...template,
      nextExecution: after(60_000),
      lastExecution: PAST,
      lastJobId: stepped.lastJobId,
    });
    expect(String(stepped.lastJobId)).toBe(String(jobId));
  });

  test('a step without a job leaves the latest one', async () => {
    const templates = bench.store.recurring;
    const template = await templates.put(newTemplate('report'));
    const { _id: jobId } = await addOne(bench.store);
    await templates.noteFired('report', { at: PAST, jobId });
    await templates.advance([{ template, next: after(1) }]);
    expect(await storedTemplate(bench.store, 'report')).toMatchObject({
      lastExecution: PAST,
      nextExecution: after(1),
    });
  });

  test('of two steps from the same place one is made', async () => {
    const templates = bench.store.recurring;
    const template = await templates.put(newTemplate('report', { nextExecution: PAST }));
    await templates.advance([{ template, next: after(1_000) }]);
    await (await bench.connect()).recurring.advance([{ template, next: after(2_000) }]);
    expect((await storedTemplate(bench.store, 'report')).nextExecution).toEqual(after(1_000));
  });

  test.each<[string, TemplateFields]>([
    ['its cron text', { cron: '5 * * * *' }],
    ['its time zone', { timezone: 'Asia/Tokyo' }],
    ['its next time', { nextExecution: after(30_000) }],
  ])('no step is made where %s has changed meanwhile', async (_, change) => {
    const templates = bench.store.recurring;
    const template = await templates.put(newTemplate('report', { nextExecution: PAST }));
    await bench.writeTemplate('report', change);
    await templates.advance([{ template, next: after(60_000) }]);
    expect((await storedTemplate(bench.store, 'report')).nextExecution).toEqual(change.nextExecution ?? PAST);
  });

  test('a batch of steps is made one by one: each that can be', async () => {
    const templates = bench.store.recurring;
    const all = await Promise.all(
      ['a', 'b', 'gone', 'c'].map((id) => templates.put(newTemplate(id, { nextExecution: PAST }))),
    );
    await templates.remove('gone');
    await bench.writeTemplate('b', { nextExecution: after(5) });
    await templates.advance(all.map((template) => ({ template, next: after(60_000) })));
    await templates.advance([]);
    expect((await templates.list()).map(({ id, nextExecution }) => [id, nextExecution])).toEqual([
      ['a', after(60_000)],
      ['b', after(5)],
      ['c', after(60_000)],
    ]);
  });

  test('a job beside the schedule is noted for one that exists', async () => {
    const { _id: jobId } = await addOne(bench.store);
    await bench.store.recurring.noteFired('missing', { at: PAST, jobId });
    expect(await bench.store.recurring.list()).toEqual([]);
  });
}
