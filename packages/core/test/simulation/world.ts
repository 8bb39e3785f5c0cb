import type { JobStore } from '../../src/store/port.js';
import { Network } from './network.js';
import type { Plan } from './plan.js';
import { Random } from './random.js';
import { START, Timeline } from './timeline.js';

/** What all parts of one history share. */
export class World {
  readonly plan: Plan;
  readonly timeline: Timeline;
  readonly network: Network;
  /** The first promise that was seen broken; the history ends there. */
  violation: string | undefined;
  /** Whether the time of faults is over, and everything may come to rest. */
  calm = false;
  readonly #trace: string[] | undefined;

  /** @param trace - Filled with a line for all that happens. */
  constructor(plan: Plan, trace?: string[]) {
    this.plan = plan;
    this.timeline = new Timeline(new Random(plan.seed, 1));
    this.network = new Network(plan, this.timeline);
    this.#trace = trace;
  }

  get now(): number {
    return this.timeline.now;
  }

  get lockTimeout(): number {
    return this.plan.lockTimeout;
  }

  /** The interval at which owners renew their claims, in milliseconds. */
  get heartbeat(): number {
    return Math.floor(this.plan.lockTimeout / 3);
  }

  /** Adds to the trace. A function, because nobody reads most traces. */
  say(who: string, what: () => string): void {
    if (this.#trace === undefined) return;
    const seconds = ((this.now - START) / 1_000).toFixed(3).padStart(9);
    this.#trace.push(`${seconds}  ${who.padEnd(5)} ${what()}`);
  }

  /** A promise is broken. Only the first one counts: what follows is its consequence. */
  violate(what: string): void {
    if (this.violation === undefined) this.say('!!!', () => what);
    this.violation ??= what;
  }
}

/** A short name for a job: its id counts the jobs of the store. */
export function nameOf(id: unknown): string {
  return `#${Number.parseInt(String(id).slice(-12), 16)}`;
}

export type Store = JobStore<string>;
