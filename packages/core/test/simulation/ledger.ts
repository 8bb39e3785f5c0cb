import { ACTIVE_STATUSES, FINAL_STATUSES } from '../../src/job/status.js';
import type { StoredJob } from '../../src/store/query-types.js';
import type { Outcome } from '../../src/store/settle-types.js';
import { nameOf, type World } from './world.js';

export type Stored = StoredJob<string>;

/** A process, as far as the ledger cares. */
export interface Owner {
  readonly name: string;
  readonly isAlive: boolean;
  /** When it began to take jobs. */
  readonly startedAt: number;
  /** Until when calls of its own were slow or failed, or it was frozen. */
  readonly troubledUntil: number;
  /** The store's time, as its engine knows it. */
  clock(): number;
}

/** A handler's call. */
export interface HandlerRun {
  /** The engine's clock when the run ended for the engine, which is when it returned, threw, or its time was up. */
  endedAt?: number;
  /** How the handler itself ended; at the moment when its time is up, the engine may see either. */
  how?: 'returned' | 'threw' | 'gave up';
  /** What it returned. */
  result?: unknown;
}

/** One job in the hands of one process, from the claim that took it on. */
export interface Claim {
  readonly id: string;
  readonly token: string;
  readonly owner: Owner;
  readonly at: number;
  /** Whether its owner cannot know of it, or could not give it back: it waits for its recovery. */
  isOrphan: boolean;
  run?: HandlerRun;
}

/** An outcome that took effect. */
export interface Settlement {
  readonly claim: Claim;
  /** The time of its batch, which tells it from other tries. */
  readonly at: number;
  readonly type: Outcome['type'];
  /** The job that its event names: the failed copy of a recurring job, else the job itself. */
  readonly answerId: string;
  /** What it left in the store. */
  readonly left: Stored;
  /** Whether its process was told, or was told wrongly because the job had moved on. */
  told: 'no' | 'applied' | 'too late';
  announced: boolean;
}

/** Knows what the store holds, who holds what in it, and how each job came to be as it is. */
export class Ledger {
  readonly world: World;
  /** Every stored job in its latest version. */
  readonly jobs = new Map<string, Stored>();
  /** Jobs that somebody removed. */
  readonly removed = new Set<string>();
  readonly settlements: Settlement[] = [];
  /** Cancellations from outside, by process and job, that were not told of yet. */
  readonly cancellations = new Map<string, number>();
  /** How often each series has moved on. */
  readonly advances = new Map<string, number>();
  /** How often each job was given back since it was last started. */
  readonly returns = new Map<string, number>();
  readonly #claims = new Map<string, Claim>();
  readonly #holders = new Map<string, string>();
  readonly #labels = new Map<number, string>();

  constructor(world: World) {
    this.world = world;
  }

  /** Takes note of a new version of a job; a job that is gone has none. */
  write(id: string, next: Stored | undefined): void {
    const previous = this.jobs.get(id);
    const oldKey = keyOf(previous);
    if (oldKey !== undefined && this.#holders.get(oldKey) === id) this.#holders.delete(oldKey);
    if (next === undefined) {
      this.jobs.delete(id);
      this.removed.add(id);
      return;
    }
    this.jobs.set(id, next);
    const key = keyOf(next);
    if (key === undefined) return;
    const holder = this.#holders.get(key);
    if (holder !== undefined) {
      this.world.violate(`${nameOf(holder)} and ${nameOf(id)} hold the same unique key at the same time`);
    }
    this.#holders.set(key, id);
  }

  /** The token tells a claim from every other claim of the same job. */
  addClaim(claim: Claim): void {
    const key = `${claim.id} ${claim.token}`;
    if (this.#claims.has(key)) this.world.violate(`${claim.token} fences two claims of ${nameOf(claim.id)}`);
    this.#claims.set(key, claim);
  }

  claim(id: unknown, token: string | undefined): Claim | undefined {
    return this.#claims.get(`${String(id)} ${token}`);
  }

  /** The claim under which a job is held right now. */
  holderOf(job: Stored | undefined): Claim | undefined {
    return job?.status === 'processing' ? this.claim(job._id, job.claimToken) : undefined;
  }

  /** Claims that their owner lost sight of through no fault of its own. */
  orphan(token: string, ids?: readonly string[]): void {
    for (const claim of this.#claims.values()) {
      if (claim.token === token && (ids === undefined || ids.includes(claim.id))) claim.isOrphan = true;
    }
  }

  /** Its process knows that an outcome is stored. */
  tell(id: string, token: string): void {
    for (const one of this.settlements)
      if (one.claim.id === id && one.claim.token === token) one.told = 'applied';
  }

  /** What one caller enqueued once is stored once. */
  noteLabel(label: number, id: string): void {
    const other = this.#labels.get(label);
    if (other !== undefined && other !== id) {
      this.world.violate(`${nameOf(other)} and ${nameOf(id)} come from one call to enqueue`);
    }
    this.#labels.set(label, id);
  }
}

/** Whether this claim holds the job in this version. */
export function isHeldBy(job: Stored | undefined, token: string): job is Stored {
  return job?.status === 'processing' && job.claimToken === token;
}

/** Whether nothing has been written in between. */
export function isSame(a: Stored | undefined, b: Stored | undefined): boolean {
  if (a === undefined || b === undefined) return a === b;
  return (
    a.status === b.status &&
    a.claimToken === b.claimToken &&
    a.failCount === b.failCount &&
    a.nextRunAt.getTime() === b.nextRunAt.getTime() &&
    a.lockedAt?.getTime() === b.lockedAt?.getTime() &&
    a.updatedAt.getTime() === b.updatedAt.getTime()
  );
}

export function isFinal({ status }: Stored): boolean {
  return (FINAL_STATUSES as readonly string[]).includes(status);
}

/** The unique key that a job occupies, if any. */
function keyOf(job: Stored | undefined): string | undefined {
  if (job?.uniqueKey === undefined || !(ACTIVE_STATUSES as readonly string[]).includes(job.status)) return;
  return `${job.name} ${job.uniqueKey}`;
}
