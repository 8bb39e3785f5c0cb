import { Engine } from '../../src/engine/engine.js';
import type { EngineParts } from '../../src/engine/engine-types.js';
import type { Host } from '../../src/engine/host.js';
import { ServerClock } from '../../src/engine/server-clock.js';
import { WorkerRegistry } from '../../src/engine/worker-registry.js';
import type { MonqueEventMap } from '../../src/events.js';
import type { JobHandler, WorkerOptions } from '../../src/job/handler.js';
import type { MonqueOptions } from '../../src/options/monque-options.js';
import { resolveOptions } from '../../src/options/resolve-options.js';
import type { NewJob } from '../../src/store/insert-types.js';
import type { JobStore } from '../../src/store/port.js';
import type { StoredJob } from '../../src/store/query-types.js';

type EventName = keyof MonqueEventMap<unknown>;

/** An engine on a store, without the facade, and what it said. */
export interface EngineUnderTest {
  readonly engine: Engine;
  readonly parts: EngineParts;
  /** Every event so far. */
  readonly events: { name: EventName; payload: unknown }[];
  named<K extends EventName>(name: K): MonqueEventMap<unknown>[K][0][];
  register(
    name: string,
    handler: JobHandler<unknown, unknown, unknown>,
    options?: WorkerOptions<unknown, unknown>,
  ): void;
  insert(name: string, job?: Partial<NewJob>): Promise<StoredJob>;
  job(id: unknown): Promise<StoredJob>;
}

export async function engineOn(
  store: JobStore,
  host: Host,
  options: MonqueOptions = {},
): Promise<EngineUnderTest> {
  const events: EngineUnderTest['events'] = [];
  const clock = new ServerClock(store, host);
  const resolved = resolveOptions(options);
  const parts: EngineParts = {
    store,
    host,
    clock,
    options: resolved,
    workers: new WorkerRegistry(),
    emit: (name, ...payload) => events.push({ name, payload: payload[0] }),
    // The engine only hands it on to handlers, and the handlers of these tests have no use for it.
    monque: undefined as never,
  };
  await store.open({ collectionName: resolved.collectionName, skipIndexCreation: false, retention: false });
  await clock.refresh();
  const engine = new Engine(parts);
  return {
    engine,
    parts,
    events,
    named: <K extends EventName>(name: K) =>
      events
        .filter((event) => event.name === name)
        .map(({ payload }) => payload as MonqueEventMap<unknown>[K][0]),
    register(name, handler, workerOptions = {}) {
      const concurrency = workerOptions.concurrency ?? resolved.workerConcurrency;
      parts.workers.add({ name, handler, concurrency, options: workerOptions }, false);
    },
    async insert(name, job = {}) {
      const now = await store.now();
      const fresh: NewJob = { name, data: {}, status: 'pending', nextRunAt: now, createdAt: now, ...job };
      const [inserted] = await store.insert([{ job: fresh, onDuplicate: 'keep' }]);
      if (inserted === undefined) throw new Error('The store answered nothing');
      if (fresh.status === 'pending') engine.wake(fresh.nextRunAt);
      return inserted.job;
    },
    async job(id) {
      const [found] = await store.get([id]);
      if (found === undefined) throw new Error(`There is no job ${String(id)}`);
      return found;
    },
  };
}

/** The store with some of its methods replaced, to make it slow or failing. */
export function withFaults(store: JobStore, faults: Partial<JobStore>): JobStore {
  return new Proxy(store, {
    get(target, key) {
      const fault: unknown = Reflect.get(faults, key);
      const member: unknown = fault ?? Reflect.get(target, key);
      return typeof member === 'function' ? member.bind(fault === undefined ? target : faults) : member;
    },
  });
}

/** The store as seen over a connection that is down while `down.now` says so. */
export function breakable(store: JobStore): { store: JobStore; down: { now: boolean } } {
  const down = { now: false };
  const proxy = new Proxy(store, {
    get(target, key) {
      const member: unknown = Reflect.get(target, key);
      if (typeof member !== 'function') return member;
      // These two ask nobody.
      if (key === 'isRefusal' || key === 'parseId') return member.bind(target);
      return (...args: unknown[]) =>
        down.now ? Promise.reject(new Error('connection refused')) : Reflect.apply(member, target, args);
    },
  });
  return { store: proxy, down };
}
