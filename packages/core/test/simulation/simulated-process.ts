import { registerWorker } from '../../src/lifecycle/register-worker.js';
import { resolveOptions } from '../../src/options/resolve-options.js';
import { createRuntime, type Runtime } from '../../src/runtime.js';
import { Connection } from './connection.js';
import { listener } from './events.js';
import { handlerFor } from './handlers.js';
import type { History } from './history.js';
import type { Owner } from './ledger.js';
import type { MachinePlan } from './plan.js';
import { ProcessHost } from './process-host.js';
import { Random } from './random.js';

/** The names of all jobs. */
export const NAMES = ['a', 'b'] as const;

/** One process: an instance of Monque, put together as it is in production, on a host and a store of its own. */
export class SimulatedProcess implements Owner {
  readonly name: string;
  readonly plan: MachinePlan;
  readonly host: ProcessHost;
  readonly connection: Connection;
  readonly runtime: Runtime<string>;
  startedAt = Number.POSITIVE_INFINITY;
  troubledUntil = Number.NEGATIVE_INFINITY;
  /** Whether it is initialised, so that it takes calls. */
  isReady = false;
  /** Whether a shutdown ran out of time, so that claims may be left behind. */
  ranOutOfTime = false;
  readonly #history: History;

  constructor(history: History, name: string, ordinal: number, plan: MachinePlan, skew: number) {
    const { world, ledger, server } = history;
    const { seed, lockTimeout } = world.plan;
    this.name = name;
    this.plan = plan;
    this.#history = history;
    this.host = new ProcessHost(name, skew, world.timeline, new Random(seed, 2, ordinal));
    const asked = history.serverFor(this.host);
    this.connection = new Connection(this, { world, ledger, server, asked }, new Random(seed, 3, ordinal));
    const options = resolveOptions({
      lockTimeout,
      heartbeatInterval: world.heartbeat,
      pollInterval: lockTimeout,
      safetyPollInterval: lockTimeout,
      shutdownTimeout: lockTimeout / 3,
      baseRetryInterval: lockTimeout / 20,
      retryJitter: 0.5,
      schedulerInstanceId: plan.fixedId ? name.slice(0, 1) : name,
      workerConcurrency: plan.concurrency,
      ...(plan.limit > 0 && { instanceConcurrency: plan.limit }),
    });
    // The engine only hands the facade on to handlers, and these have no use for it.
    const monque = undefined as never;
    const store = history.clientOf(this.connection.store);
    this.runtime = createRuntime(store, options, this.host, listener(this, history), monque);
    for (const job of NAMES) registerWorker(this.runtime, job, handlerFor(this, history), {});
  }

  get isAlive(): boolean {
    return !this.host.isDead;
  }

  clock(): number {
    return this.runtime.clock.millis();
  }

  /** Initialises for as long as it takes, and begins to work. */
  async boot(): Promise<void> {
    for (;;) {
      try {
        await this.runtime.lifecycle.initialize();
        break;
      } catch (error) {
        this.#history.expectError(error);
        await this.pause(this.#history.world.heartbeat);
      }
    }
    this.isReady = true;
    this.start();
  }

  start(): void {
    this.startedAt = Math.min(this.startedAt, this.#history.world.now);
    this.runtime.lifecycle.start();
  }

  /** Resolves when the instance says so; then nothing may be left in its hands. */
  async stop(): Promise<void> {
    const { world, ledger } = this.#history;
    const hadTime = !this.ranOutOfTime;
    await this.runtime.lifecycle.stop();
    world.say(this.name, () => 'has stopped');
    if (!hadTime || this.ranOutOfTime || this.runtime.engine.running) return;
    for (const job of ledger.jobs.values()) {
      const claim = ledger.holderOf(job);
      if (claim?.owner === this && !claim.isOrphan) world.violate(`${this.name} stopped and kept ${job._id}`);
    }
  }

  /** Its calls or its event loop are slow for so long, or fail. */
  troubled(ms: number): void {
    this.troubledUntil = Math.max(this.troubledUntil, this.#history.world.now + ms);
  }

  freeze(ms: number): void {
    this.host.freeze(ms);
    this.troubled(ms);
  }

  kill(steps: number): void {
    this.host.die(steps);
  }

  /** For handlers and callers, whose timers are none of the engine's. */
  pause(ms: number): Promise<void> {
    return new Promise((resolve) => this.host.deliver(ms, resolve));
  }
}
