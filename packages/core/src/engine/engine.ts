import { toError } from '../job/thrown.js';
import type { Outcome, Settled } from '../store/settle-types.js';
import { Claimer } from './dispatch/claimer.js';
import { Dispatcher } from './dispatch/dispatcher.js';
import { Drain } from './dispatch/drain.js';
import { Slots } from './dispatch/slots.js';
import { WakeSignal } from './dispatch/wake-signal.js';
import { WakeUps } from './dispatch/wake-ups.js';
import type { DrainResult, EngineParts } from './engine-types.js';
import { execute } from './execute/execute.js';
import { HeldRuns } from './execute/held-runs.js';
import type { Run } from './execute/run.js';
import { FollowUp } from './follow-up/follow-up.js';
import type { FollowUpParts } from './follow-up/follow-up-parts.js';
import { Sweeper } from './follow-up/sweeper.js';
import { Leases } from './lease/leases.js';
import { TemplateLoop } from './recurring/template-loop.js';
import { announce } from './settle/announce.js';
import { type Pending, Settler } from './settle/settler.js';
import { shutDown } from './shut-down.js';

/** Walks of the sweeper per lockTimeout, as many as there are looks for dead owners. */
const SWEEPS_PER_TIMEOUT = 4;

/** Enqueue, claim, run, settle, follow up: puts the parts together and passes runs from one to the next. */
export class Engine {
  /** Lets go what waits for jobs that have ended. */
  readonly followUp: FollowUp;
  readonly #parts: EngineParts;
  readonly #sweeper: Sweeper;
  readonly #held = new HeldRuns();
  readonly #slots: Slots;
  readonly #settler: Settler;
  readonly #leases: Leases;
  readonly #wakeUps: WakeUps;
  readonly #dispatcher: Dispatcher;
  readonly #templates: TemplateLoop;
  readonly #drains = new Set<Drain>();
  /** Claims on their way back to the store. */
  readonly #returning = new Set<Promise<void>>();
  #running = false;
  #stopping: Promise<void> | undefined;

  constructor(parts: EngineParts) {
    this.#parts = parts;
    this.#slots = new Slots({
      host: parts.host,
      workers: parts.workers,
      limit: parts.options.instanceConcurrency,
      execute: (run) => this.#execute(run),
      giveBack: (runs) => this.#giveBack(runs),
      freed: () => this.#progressed(),
    });
    this.#settler = new Settler(parts, (pending, settled) => this.#settled(pending, settled));
    this.#wakeUps = new WakeUps(parts, {
      due: (nextRunAt, name) => {
        // What only other processes run need not wake this one.
        if (name === undefined || parts.workers.get(name) !== undefined) this.wake(nextRunAt);
      },
      stopped: (id) => {
        if (this.#held.has(id)) void this.#leases.verify();
      },
      watchingChanged: () => this.#dispatcher.wakeUnsure(),
    });
    this.#leases = new Leases(parts, this.#held, {
      recovered: () => this.#dispatcher.wake(),
      watching: () => this.#wakeUps.watching,
    });
    this.#dispatcher = new Dispatcher(parts, {
      slots: this.#slots,
      accept: (runs) => this.#accept(runs),
      giveBack: (runs) => this.#giveBack(runs),
      unsettled: () => this.#settler.backlog,
      watching: () => this.#wakeUps.watching,
      contact: () => this.#leases.contact(),
      rushing: (rushing) => {
        this.#wakeUps.rushing = rushing;
      },
    });
    const followUpParts: FollowUpParts = {
      ...parts,
      batches: parts.store.batches,
      released: (nextRunAt) => this.wake(nextRunAt),
    };
    this.followUp = new FollowUp(followUpParts, (batchId) => this.#held.holdsMember(batchId));
    this.#sweeper = new Sweeper(followUpParts, parts.host, parts.options.lockTimeout / SWEEPS_PER_TIMEOUT);
    this.#templates = new TemplateLoop(parts, ({ nextRunAt }) => this.wake(nextRunAt));
  }

  get running(): boolean {
    return this.#running;
  }

  /** Begins to take jobs, at once. Does nothing while it runs already. */
  start(): void {
    if (this.#running) return;
    this.#running = true;
    void this.#startParts(this.#stopping);
  }

  /** A start that comes while a stop is under way takes its turn after it. */
  async #startParts(stopping: Promise<void> | undefined): Promise<void> {
    if (stopping !== undefined) await stopping;
    if (!this.#running) return;
    this.#dispatcher.start();
    this.#wakeUps.start();
    this.#leases.start();
    this.#templates.start();
    this.#sweeper.start();
  }

  /** Takes no new job, waits for the running ones and their stored outcomes. Never rejects. */
  stop(): Promise<void> {
    this.#running = false;
    this.#stopping ??= shutDown(this.#parts, {
      dispatcher: this.#dispatcher,
      drains: this.#drains,
      wakeUps: this.#wakeUps,
      leases: this.#leases,
      templates: this.#templates,
      slots: this.#slots,
      settler: this.#settler,
      followUp: this.followUp,
      sweeper: this.#sweeper,
      giveBack: (runs) => this.#giveBack(runs),
      returned: async () => {
        await Promise.all(this.#returning);
      },
    }).finally(() => {
      this.#stopping = undefined;
    });
    return this.#stopping;
  }

  /** A job of this process waits for this time. */
  wake(nextRunAt: Date): void {
    this.#dispatcher.due(nextRunAt);
  }

  /** A worker was registered: jobs of its name may be due. */
  lookAgain(): void {
    this.#dispatcher.wake();
  }

  /** A recurring template was changed here: it may be due. */
  lookAtTemplates(): void {
    this.#templates.wake();
  }

  /** Ends the run of a job that this process has just cancelled or deleted, if it runs here. */
  stopRun(id: unknown, reason: 'cancelled' | 'deleted'): void {
    this.#held.stop(id, reason);
  }

  /** Looks at once for runs whose jobs were cancelled; which, is not known. */
  verifyRuns(): void {
    void this.#leases.verify();
  }

  /** Handlers of this name that run right now. */
  activeCount(name: string): number {
    return this.#slots.activeCount(name);
  }

  /** Runs what is due until nothing is, whether or not the engine was started. */
  async drain(): Promise<DrainResult> {
    // One that comes while a stop is under way takes its turn after it.
    while (this.#stopping !== undefined) await this.#stopping;
    const drain = new Drain(new WakeSignal(this.#parts.host));
    this.#drains.add(drain);
    this.#leases.start();
    try {
      return await drain.run({
        claimer: new Claimer(this.#parts),
        slots: this.#slots,
        settler: this.#settler,
        followUp: this.followUp,
        claiming: () => this.#dispatcher.claiming,
        accept: (runs) => this.#accept(runs),
        giveBack: (runs) => this.#giveBack(runs),
      });
    } finally {
      this.#drains.delete(drain);
      if (!this.#running && this.#drains.size === 0) this.#leases.stopWhenFree();
    }
  }

  #accept(runs: readonly Run[]): void {
    for (const run of runs) {
      this.#held.add(run);
      this.followUp.taken(run.job);
    }
    for (const run of runs) this.#slots.accept(run);
  }

  async #execute(run: Run): Promise<void> {
    const executed = await execute(run, this.#parts);
    if (executed === 'taken') this.#leave(run);
    else if (executed === 'given back') this.#giveBack([run]);
    else this.#settler.add({ run, executed });
  }

  #settled(pending: Pending, settled: Settled): void {
    const { outcome } = pending.executed;
    this.#leave(pending.run, settled.applied ? outcome : undefined);
    if (settled.applied) {
      for (const drain of this.#drains) drain.count(outcome);
      if ('nextRunAt' in outcome && outcome.nextRunAt !== undefined) this.wake(outcome.nextRunAt);
      announce(pending, settled, this.#parts);
    }
    this.#progressed();
  }

  #giveBack(runs: readonly Run[]): void {
    if (runs.length === 0) return;
    for (const run of runs) this.#leave(run);
    const { store, clock, emit } = this.#parts;
    const claims = runs.map((run) => run.claim);
    // What cannot be given back now is recovered once its lease has run out.
    const returning = store
      .release(claims, clock.now())
      .catch((thrown: unknown) => emit('job:error', { error: toError(thrown) }))
      .finally(() => {
        this.#returning.delete(returning);
        // What went back is due, and no claim has said so.
        this.#dispatcher.wake();
      });
    this.#returning.add(returning);
  }

  /** Lets go of a run, with the outcome that was stored, if any was. */
  #leave(run: Run, outcome?: Outcome): void {
    this.#held.remove(run);
    this.followUp.left(run.job, outcome);
  }

  #progressed(): void {
    this.#dispatcher.freed();
    for (const drain of this.#drains) drain.wake();
  }
}
