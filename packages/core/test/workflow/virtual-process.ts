import type { Emit } from '../../src/engine/emit.js';
import type { MonqueEventMap } from '../../src/events.js';
import { registerWorker } from '../../src/lifecycle/register-worker.js';
import type { Monque } from '../../src/monque.js';
import type { MonqueOptions } from '../../src/options/monque-options.js';
import { resolveOptions } from '../../src/options/resolve-options.js';
import { createRuntime, type Runtime } from '../../src/runtime.js';
import type { JobStore } from '../../src/store/port.js';
import type { VirtualHost } from '../engine/virtual-host.js';

type Events = MonqueEventMap<unknown>;

/** An instance in virtual time, without the facade. */
export interface VirtualProcess extends Runtime<string> {
  /** Names of all jobs that its handlers were called for, in order. */
  readonly ran: unknown[];
  told<K extends keyof Events>(name: K): Events[K][0][];
}

/**
 * Jobs called `work` fail where their data says so, and are done otherwise.
 *
 * @param fails - Whether a job fails.
 */
export async function virtualProcess(
  store: JobStore<string>,
  host: VirtualHost,
  options: MonqueOptions = {},
  fails: (data: unknown) => boolean = (data) => data === 'fail',
): Promise<VirtualProcess> {
  const events: { name: keyof Events; payload: unknown }[] = [];
  const emit: Emit = (name, ...payload) => events.push({ name, payload: payload[0] });
  const noMonque = undefined as unknown as Monque<unknown>;
  const runtime = createRuntime(store, resolveOptions({ maxRetries: 1, ...options }), host, emit, noMonque);
  const ran: unknown[] = [];
  await runtime.lifecycle.initialize();
  registerWorker(
    runtime,
    'work',
    ({ data }) => {
      ran.push(data);
      if (fails(data)) throw new Error('broken');
    },
    undefined,
  );
  return {
    ...runtime,
    ran,
    told: <K extends keyof Events>(wanted: K) =>
      events.filter(({ name }) => name === wanted).map(({ payload }) => payload as Events[K][0]),
  };
}

/**
 * The store as a process sees it that dies at a certain call: that one and all that follow are never answered.
 *
 * @param dies - Whether to die instead of this call; `effect` decides whether it still takes effect.
 */
export function dyingStore(
  store: JobStore<string>,
  dies: (method: string, args: readonly unknown[]) => false | 'before' | 'after',
): { store: JobStore<string>; readonly dead: boolean } {
  let dead = false;
  const never = new Promise<never>(() => {});
  const wrap = <T extends object>(target: T, prefix: string): T =>
    new Proxy(target, {
      get(_, key) {
        const member: unknown = Reflect.get(target, key);
        if (key === 'batches') return wrap(member as object, 'batches.');
        if (typeof member !== 'function') return member;
        if (key === 'parseId' || key === 'isRefusal') return member.bind(target);
        return async (...args: unknown[]) => {
          const death = dead ? 'before' : dies(`${prefix}${String(key)}`, args);
          if (death !== false) dead = true;
          if (death === 'before') return never;
          const answer: unknown = await Reflect.apply(member, target, args);
          return death === 'after' ? never : answer;
        };
      },
    });
  return {
    store: wrap(store, ''),
    get dead() {
      return dead;
    },
  };
}
