import { Monque } from '@monque/core';
import type {
  Bystanders,
  ClaimCount,
  Contender,
  ContenderProfile,
  ContenderWorker,
  Handle,
  JobData,
  NewJob,
  Target,
  WorkerRequest,
} from '../contender.js';
import { StoredCount } from '../stored-count.js';
import type { Backend } from './backend.js';

const DAY_MS = 86_400_000;

/**
 * Monque as it comes: the concurrency, which all systems share, is its only option. It is given for a name and for the
 * process: the names share the slots, as they do in the other systems.
 */
class MonqueContender implements Contender {
  readonly #backend: Backend;
  readonly #instances: Monque<unknown>[] = [];
  readonly #sender: Monque<unknown>;

  constructor(backend: Backend) {
    this.#backend = backend;
    this.#sender = this.#instance();
  }

  async prepare(): Promise<void> {
    await this.#backend.prepare?.();
    await this.#sender.initialize();
  }

  async enqueue({ name, data }: NewJob): Promise<unknown> {
    return this.#sender.enqueue(name, data);
  }

  async enqueueMany(jobs: readonly NewJob[]): Promise<unknown> {
    return this.#sender.enqueueMany([...jobs]);
  }

  async createWorker({ names, concurrency }: WorkerRequest, handle: Handle): Promise<ContenderWorker> {
    const monque = this.#instance(concurrency);
    const stored = new StoredCount();
    for (const name of names) monque.register<JobData>(name, (job) => handle(job.data));
    monque.on('job:complete', () => stored.add());
    await monque.initialize();
    return {
      start: async () => monque.start(),
      stored: (handled) => stored.reached(handled),
    };
  }

  async fill(kind: Bystanders, count: number, name: string): Promise<void> {
    const id = kind === 'future' ? await this.#futureJob(name) : await this.#finishedJob(name);
    await this.#backend.multiply(id, count, kind);
  }

  async commandCount(): Promise<number | undefined> {
    return this.#backend.commandCount?.();
  }

  claimCount(): ClaimCount | undefined {
    return this.#backend.claimCount?.();
  }

  async close(): Promise<void> {
    await Promise.all(this.#instances.map((monque) => monque.close()));
    await this.#backend.close();
  }

  #instance(concurrency = 50): Monque<unknown> {
    const monque = new Monque(this.#backend.store, {
      workerConcurrency: concurrency,
      instanceConcurrency: concurrency,
    }) as Monque<unknown>;
    this.#instances.push(monque);
    return monque;
  }

  async #futureJob(name: string): Promise<unknown> {
    const { _id } = await this.#sender.enqueue(name, { n: 0 }, { runAt: new Date(Date.now() + DAY_MS) });
    return _id;
  }

  async #finishedJob(name: string): Promise<unknown> {
    const { _id } = await this.#sender.enqueue(name, { n: 0 });
    const monque = this.#instance();
    monque.register(name, () => undefined);
    await monque.initialize();
    await monque.drain();
    return _id;
  }
}

/** Monque on one of its databases. */
export function monqueOn(
  profile: Pick<ContenderProfile, 'id' | 'title' | 'server' | 'package' | 'settings'>,
  connect: (target: Target) => Promise<Backend>,
): ContenderProfile {
  return {
    ...profile,
    pace: 'fast',
    settings: [
      'workerConcurrency and instanceConcurrency as stated per scenario, all else default',
      ...profile.settings,
    ],
    connect: async (target) => new MonqueContender(await connect(target)),
  };
}
