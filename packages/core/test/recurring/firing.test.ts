import { describe, expect, test } from 'vitest';
import { WatchUnsupportedError } from '../../src/errors/operation-errors.js';
import type { JobStore } from '../../src/store/port.js';
import type { RecurringStore } from '../../src/store/recurring-types.js';
import { withFaults } from '../engine/engine-on.js';
import { MINUTE, minutes, VirtualTemplates } from './virtual-templates.js';

describe('a process that runs', () => {
  test('makes a job at each time, to the millisecond, and runs it like any other', async () => {
    const virtual = new VirtualTemplates();
    await virtual.put('report', { data: { region: 'EU' }, maxRetries: 3 });
    const { engine, register, named } = await virtual.process();
    const runs: { at: string; data: unknown }[] = [];
    register('work', ({ data }) => void runs.push({ at: virtual.at().toISOString(), data }));
    engine.start();
    // A moment more, for the outcome of the last run to be stored.
    await virtual.host.advance(3 * MINUTE + 10);
    expect(runs).toEqual(minutes(1, 2, 3).map((at) => ({ at, data: { region: 'EU' } })));
    expect(named('recurring:fired').map(({ id, at, job }) => [id, at.toISOString(), job.maxRetries])).toEqual(
      minutes(1, 2, 3).map((at) => ['report', at, 3]),
    );
    const jobs = await virtual.store.page({ filter: {}, by: 'id', direction: 'asc', limit: 10 });
    expect(jobs.map(({ recurringId, status }) => [recurringId, status])).toEqual(
      Array(3).fill(['report', 'completed']),
    );
    await engine.stop();
  });

  test('runs the job at once, also where no stream of changes tells of it', async () => {
    const virtual = new VirtualTemplates();
    await virtual.put('report', { cron: '7 * * * * *' });
    const store = withFaults(virtual.store as JobStore<unknown>, {
      watch: () => Promise.reject(new WatchUnsupportedError('There is none')),
    });
    const { engine, register } = await virtual.process({ pollInterval: 10_000 }, store);
    const runs: string[] = [];
    register('work', () => void runs.push(virtual.at().toISOString()));
    engine.start();
    await virtual.host.advance(8_000);
    expect(runs).toEqual(['2026-01-01T00:00:07.000Z']);
    await engine.stop();
  });

  test('keeps lastExecution and nextExecution true', async () => {
    const virtual = new VirtualTemplates();
    await virtual.put('report', { cron: '*/5 * * * *' });
    const { engine } = await virtual.process();
    engine.start();
    await virtual.host.advance(1);
    expect(await virtual.get('report')).toMatchObject({ nextExecution: new Date(minutes(5)[0] ?? '') });
    expect(await virtual.get('report')).not.toHaveProperty('lastExecution');
    await virtual.host.advance(6 * MINUTE);
    const [job] = await virtual.store.page({ filter: {}, by: 'id', direction: 'asc', limit: 10 });
    expect(await virtual.get('report')).toMatchObject({
      lastExecution: new Date(minutes(5)[0] ?? ''),
      lastJobId: job?._id,
      nextExecution: new Date(minutes(10)[0] ?? ''),
    });
    await engine.stop();
  });

  test('fires templates whose jobs it has no worker for', async () => {
    const virtual = new VirtualTemplates();
    await virtual.put('report');
    const { engine } = await virtual.process();
    engine.start();
    await virtual.host.advance(2 * MINUTE);
    expect(await virtual.times()).toEqual(minutes(1, 2));
    await engine.stop();
  });

  test('fires nothing before it starts, nor after it stops', async () => {
    const virtual = new VirtualTemplates();
    await virtual.put('report');
    const { engine } = await virtual.process();
    await virtual.host.advance(2 * MINUTE);
    engine.start();
    await virtual.host.advance(MINUTE);
    await engine.stop();
    await virtual.host.advance(5 * MINUTE);
    expect(await virtual.times()).toEqual(minutes(3));
    engine.start();
    await virtual.host.advance(1);
    // Stopped for five minutes: the default makes one job for them.
    expect(await virtual.times()).toEqual(minutes(3, 8));
    await engine.stop();
  });

  test('asks once per poll, however many templates wait', async () => {
    const virtual = new VirtualTemplates();
    for (let index = 0; index < 300; index++) await virtual.put(`report-${index}`, { cron: '@yearly' });
    let asked = 0;
    const store = virtual.withRecurring((recurring) => ({
      due: (request) => {
        asked += 1;
        return recurring.due(request);
      },
    }));
    const { engine } = await virtual.process({ pollInterval: 1_000 }, store);
    engine.start();
    await virtual.host.advance(5_000);
    asked = 0;
    await virtual.host.advance(60_000);
    expect(asked).toBeGreaterThan(50);
    expect(asked).toBeLessThan(80);
    await engine.stop();
  });
});

describe('two processes that fire the same template at the same moment', () => {
  /** Both read the template before either of them writes. */
  function together(virtual: VirtualTemplates, ms: number) {
    return virtual.withRecurring((recurring) => ({
      due: async (request) => {
        const templates = await recurring.due(request);
        await new Promise<void>((resolve) => void virtual.host.after(ms, resolve));
        return templates;
      },
    }));
  }

  test('make each job once, and each event comes once', async () => {
    const virtual = new VirtualTemplates();
    await virtual.put('tick', { cron: '* * * * * *' });
    const both = await Promise.all([1, 1].map((ms) => virtual.process({}, together(virtual, ms))));
    for (const { engine } of both) engine.start();
    await virtual.host.advance(30_100);
    expect(await virtual.times()).toHaveLength(30);
    expect(new Set(await virtual.times()).size).toBe(30);
    expect(both.flatMap(({ named }) => named('recurring:fired'))).toHaveLength(30);
    await virtual.host.advance(500);
    for (const { engine } of both) await Promise.all([engine.stop(), virtual.host.advance(500)]);
  });

  test('also where one of them hangs between what it read and what it does about it', async () => {
    const virtual = new VirtualTemplates();
    await virtual.put('report');
    const slow = await virtual.process({}, together(virtual, 700));
    const quick = await virtual.process({}, together(virtual, 1));
    slow.engine.start();
    quick.engine.start();
    await virtual.host.advance(5 * MINUTE + 1_000);
    expect(await virtual.times()).toEqual(minutes(1, 2, 3, 4, 5));
    expect((await virtual.get('report')).nextExecution?.toISOString()).toBe(minutes(6)[0]);
    for (const { engine } of [slow, quick]) await Promise.all([engine.stop(), virtual.host.advance(1_000)]);
  });
});

describe('a crash between the two writes', () => {
  /** A process that dies as soon as it has stored a job, before the template moves on. */
  function dying(virtual: VirtualTemplates) {
    return virtual.withRecurring(() => ({ advance: () => new Promise(() => {}) }));
  }

  test('leaves one job for the time, and another process moves the template on', async () => {
    const virtual = new VirtualTemplates();
    await virtual.put('report', { nextExecution: new Date(minutes(1)[0] ?? '') });
    const dead = await virtual.process({}, dying(virtual));
    dead.engine.start();
    await virtual.host.advance(MINUTE + 1);
    expect(await virtual.times()).toEqual(minutes(1));
    expect((await virtual.get('report')).nextExecution?.toISOString()).toBe(minutes(1)[0]);

    const alive = await virtual.process();
    alive.engine.start();
    await virtual.host.advance(10);
    const [job] = await virtual.store.page({ filter: {}, by: 'id', direction: 'asc', limit: 10 });
    expect(await virtual.get('report')).toMatchObject({
      lastExecution: new Date(minutes(1)[0] ?? ''),
      lastJobId: job?._id,
      nextExecution: new Date(minutes(2)[0] ?? ''),
    });
    await virtual.host.advance(MINUTE);
    expect(await virtual.times()).toEqual(minutes(1, 2));
    // The event of the first died with its process.
    expect(alive.named('recurring:fired')).toHaveLength(1);
    await alive.engine.stop();
  });

  test('also where an answer was lost, and the same process tries again', async () => {
    const virtual = new VirtualTemplates();
    await virtual.put('report', { nextExecution: new Date(minutes(1)[0] ?? '') });
    let lost = 0;
    const store = withFaults(
      virtual.store as never,
      {
        async insert(...args: Parameters<typeof virtual.store.insert>) {
          const inserted = await virtual.store.insert(...args);
          if (lost++ === 0) throw new Error('connection reset');
          return inserted;
        },
      } as never,
    );
    const { engine, named } = await virtual.process({}, store);
    engine.start();
    await virtual.host.advance(MINUTE + 10_000);
    expect(named('job:error')).toHaveLength(1);
    expect(await virtual.times()).toEqual(minutes(1));
    expect((await virtual.get('report')).nextExecution?.toISOString()).toBe(minutes(2)[0]);
    await engine.stop();
  });
});

test('a template whose jobs the store refuses does not keep the others from firing', async () => {
  const virtual = new VirtualTemplates();
  for (const id of ['a', 'refused', 'z']) await virtual.put(id, { data: id });
  const store = withFaults(
    virtual.store as never,
    {
      async insert(...args: Parameters<typeof virtual.store.insert>) {
        if (args[0].some(({ job }) => job.data === 'refused')) throw new RangeError('too large');
        return virtual.store.insert(...args);
      },
      isRefusal: (error: unknown) => error instanceof RangeError,
    } as never,
  );
  const { engine, named } = await virtual.process({}, store);
  engine.start();
  await virtual.host.advance(2 * MINUTE);
  expect(await virtual.times()).toEqual(minutes(1, 1, 2, 2));
  expect(named('recurring:fired')).toHaveLength(4);
  expect(named('recurring:error').map(({ id }) => id)).toEqual(['refused']);
  expect(named('job:error')).toEqual([]);
  await engine.stop();
});

test('hundreds of templates that are due together all fire, broken ones among them', async () => {
  const virtual = new VirtualTemplates();
  for (let index = 0; index < 500; index++) {
    await virtual.put(`t-${index}`, index % 2 === 0 ? {} : { cron: 'never' });
  }
  const { engine, named } = await virtual.process();
  engine.start();
  await virtual.host.advance(MINUTE);
  expect(await virtual.times()).toHaveLength(250);
  expect(named('recurring:error')).toHaveLength(250);
  await engine.stop();
});

test('an outage costs nothing but time', async () => {
  const virtual = new VirtualTemplates();
  await virtual.put('report', { misfire: 'all' });
  let down = false;
  const refuse = () => Promise.reject(new Error('connection refused'));
  const store = virtual.withRecurring((recurring) => ({
    due: (request) => (down ? refuse() : recurring.due(request)),
  }));
  const { engine, named } = await virtual.process({}, store);
  engine.start();
  await virtual.host.advance(MINUTE);
  down = true;
  await virtual.host.advance(3 * MINUTE);
  expect(named('job:error').length).toBeGreaterThan(10);
  expect(await virtual.times()).toEqual(minutes(1));
  down = false;
  await virtual.host.advance(MINUTE);
  expect(await virtual.times()).toEqual(minutes(1, 2, 3, 4, 5));
  await engine.stop();
});

test('stop() waits for what is being fired', async () => {
  const virtual = new VirtualTemplates();
  await virtual.put('report');
  const advanced: Parameters<RecurringStore['advance']>[0][] = [];
  const store = virtual.withRecurring((recurring) => ({
    advance: async (steps) => {
      await new Promise<void>((resolve) => void virtual.host.after(500, resolve));
      await recurring.advance(steps);
      advanced.push(steps);
    },
  }));
  const { engine } = await virtual.process({}, store);
  engine.start();
  await virtual.host.advance(MINUTE + 501);
  const before = advanced.length;
  const stopped = engine.stop().then(() => advanced.length);
  await virtual.host.advance(1_000);
  expect(await stopped).toBe(before);
  engine.start();
  await virtual.host.advance(MINUTE - 1_100);
  const stopping = engine.stop().then(() => advanced.length);
  await virtual.host.advance(1_000);
  expect(await stopping).toBe(before + 1);
});
