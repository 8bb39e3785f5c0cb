import { expect, test } from 'vitest';
import { eventually } from '../eventually.js';
import type { ConformanceSubject } from '../subject.js';
import { apiSuite } from './instances.js';
import { collect, nextEvent, within } from './signals.js';

const TEN_MEGABYTES = 10 * 2 ** 20;
/** Longest `failReason`. */
const LONGEST_REASON = 8_192;

const refuse = (): never => {
  throw new Error('refused');
};
const hostile = <T extends object>(target: T): T =>
  new Proxy(target, {
    get: refuse,
    has: refuse,
    ownKeys: refuse,
    getPrototypeOf: refuse,
    getOwnPropertyDescriptor: refuse,
  });
const circular = (): Error => {
  const error = new Error('in circles');
  error.cause = error;
  return Object.assign(error, { details: { error } });
};

/** What a handler may throw, and the reason that is stored, where it says one. */
const THROWN: readonly [what: string, make: () => unknown, reason: unknown][] = [
  ['null', () => null, 'null'],
  ['undefined', () => undefined, 'undefined'],
  ['a frozen object', () => Object.freeze({ message: 'frozen' }), 'frozen'],
  ['a frozen error', () => Object.freeze(new Error('frozen')), 'frozen'],
  ['an error that refers to itself', circular, 'in circles'],
  ['a proxy that throws at every touch', () => hostile({}), expect.any(String)],
  ['an error that throws at every touch', () => hostile(new Error('hostile')), expect.any(String)],
  [
    'an error whose message throws',
    () => Object.defineProperty(new Error(), 'message', { get: refuse }),
    'Error',
  ],
  [
    'ten megabytes',
    () => new Error('x'.repeat(TEN_MEGABYTES)),
    expect.stringContaining('shortened from 10485760'),
  ],
  [
    'ten megabytes of text',
    () => 'x'.repeat(TEN_MEGABYTES),
    expect.stringContaining('shortened from 10485760'),
  ],
];

const steering = (code: string, property: string, descriptor: PropertyDescriptor) => () =>
  Object.defineProperty(Object.assign(new Error('steers'), { code }), property, descriptor);
const later = (descriptor: PropertyDescriptor) => steering('MONQUE_RETRY_AFTER', 'until', descriptor);
const cancelled = (descriptor: PropertyDescriptor) => steering('MONQUE_CANCEL_RUN', 'reason', descriptor);

/** What asks for another time or for the end, as `RetryAfter` and `CancelRun` do, and cannot say so properly. */
const STEERING: readonly [what: string, make: () => Error][] = [
  ['a time that throws', later({ value: refuse })],
  ['a time that is none', later({ value: () => 'soon' })],
  ['an invalid date', later({ value: () => new Date(Number.NaN) })],
  ['a time that cannot be read', later({ get: refuse })],
  ['a reason that cannot be read', cancelled({ get: refuse })],
  ['a reason that is no text', cancelled({ value: () => 'no text' })],
  ['twenty megabytes of reason', cancelled({ value: 'x'.repeat(2 * TEN_MEGABYTES) })],
];

export function misbehaviourTests(subject: ConformanceSubject): void {
  apiSuite(subject, 'a handler that misbehaves', (api) => {
    /** Runs one job, in the only slot, and then another: whatever the first does, the second is handled. */
    const run = async (handler: () => unknown, options: { timeout?: number } = {}) => {
      const monque = await api.monque({ maxRetries: 1 });
      const errors = collect(monque, 'job:error');
      monque.register<boolean>('work', ({ data }) => (data ? handler() : 'as always'), { concurrency: 1 });
      monque.start();
      const job = await monque.enqueue('work', true, options);
      const next = await monque.enqueue('work', false);
      expect(await monque.waitForJob(next._id, { timeout: 8_000 })).toMatchObject({ result: 'as always' });
      await monque.waitForJob(job._id, { timeout: 8_000 });
      return { job: await api.stored(job), errors };
    };

    test.each(THROWN)('by throwing %s fails with a reason', async (_, make, reason) => {
      const { job, errors } = await run(() => Promise.reject(make()));
      expect(job).toMatchObject({ status: 'failed', failCount: 1, failReason: reason });
      expect(job.failReason?.length).toBeLessThanOrEqual(LONGEST_REASON);
      expect(errors).toEqual([]);
    });

    test.each(STEERING)('by steering with %s ends all the same', async (_, make) => {
      const { job, errors } = await run(() => Promise.reject(make()));
      expect(['failed', 'cancelled']).toContain(job.status);
      expect(job.failReason?.length ?? 0).toBeLessThanOrEqual(LONGEST_REASON);
      expect(errors).toEqual([]);
    });

    test.each<[string, () => unknown]>([
      ['a proxy that throws at every touch', () => hostile({})],
      [
        'a value that throws when it is read',
        () => Object.defineProperty({}, 'a', { get: refuse, enumerable: true }),
      ],
      ['a promise whose then throws', () => Object.defineProperty({}, 'then', { get: refuse })],
    ])('by returning %s fails for good', async (_, make) => {
      const { job } = await run(make);
      expect(job).toMatchObject({ status: 'failed', failCount: 1, failReason: expect.any(String) });
    });

    test('by never ending fails at its timeout, though it heeds no signal', async () => {
      const { job } = await run(() => new Promise(() => {}), { timeout: 50 });
      expect(job).toMatchObject({ status: 'failed', failReason: expect.stringContaining('50 ms') });
    });

    test('by failing after its timeout is heard no more', async () => {
      let fail = (_: Error) => {};
      const late = new Promise((_, reject) => {
        fail = reject;
      });
      const { job, errors } = await run(() => late, { timeout: 50 });
      fail(new Error('late'));
      await new Promise((resolve) => setImmediate(resolve));
      expect(await api.stored(job)).toStrictEqual(job);
      expect(errors).toEqual([]);
    });

    test('by never ending, without a timeout, keeps its own slot and nothing else', async () => {
      const monque = await api.monque({ shutdownTimeout: 50, lockTimeout: 300 });
      const other = await api.monque({ lockTimeout: 300 });
      let runs = 0;
      for (const instance of [monque, other]) {
        instance.register('stuck', () => {
          runs += 1;
          return new Promise(() => {});
        });
        instance.register('work', () => 'as always');
      }
      const begun = nextEvent(monque, 'job:start');
      const stuck = await monque.enqueue('stuck', {});
      monque.start();
      await begun;
      other.start();
      const { lockedAt } = await api.stored(stuck);
      await eventually(
        async () => {
          expect(Number((await api.stored(stuck)).lockedAt) - Number(lockedAt)).toBeGreaterThan(600);
        },
        { within: 15_000 },
      );
      const job = await monque.enqueue('work', {});
      expect(await monque.waitForJob(job._id, { timeout: 8_000 })).toMatchObject({ status: 'completed' });
      expect(runs).toBe(1);
      await within(5_000, monque.stop());
    });

    test.each<[string, (settle: (value: unknown) => void, fail: (error: Error) => void) => void, object]>([
      ['resolves', (settle) => settle('done'), { status: 'completed', result: 'done' }],
      ['rejects', (_, fail) => fail(new Error('broken')), { status: 'failed', failReason: 'broken' }],
      [
        'does both, and again',
        (settle, fail) => {
          settle('first');
          fail(new Error('second'));
          settle('third');
        },
        { status: 'completed', result: 'first' },
      ],
      ['throws', () => refuse(), { status: 'failed', failReason: 'refused' }],
    ])('with a thenable that %s is like any other', async (_, then, expected) => {
      const { job } = await run(() => Object.assign(Object.create(null), { then }));
      expect(job).toMatchObject(expected);
    });

    test('by spoiling its data spoils neither its series nor the failed copy of it', async () => {
      const monque = await api.monque({ maxRetries: 1 });
      monque.register<Record<string, unknown>>('series', ({ data }) => {
        data.self = data;
        data.call = () => {};
        throw new Error('broken');
      });
      const failed = nextEvent(monque, 'job:fail');
      const series = await monque.schedule('0 0 1 1 *', 'series', { kept: true });
      await api.store.change([series._id], { type: 'reschedule', runAt: new Date(0) }, await api.store.now());
      monque.start();
      const { job: copy } = await failed;
      expect(await api.stored(copy)).toMatchObject({ status: 'failed', data: { kept: true } });
      expect(await api.stored(series)).toMatchObject({
        status: 'pending',
        data: { kept: true },
        failCount: 0,
      });
      expect((await api.stored(copy)).data).not.toHaveProperty('self');
    });
  });
}
