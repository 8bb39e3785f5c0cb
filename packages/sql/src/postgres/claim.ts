import { type ClaimRequest, type ClaimResult, LowWaterMark, type StoredJob } from '@monque/core';
import { CLAIMED_WIDTH, claimedJob } from '../claim/claimed-job.js';
import { firstLook } from '../claim/most-urgent.js';
import { limitsOf } from '../claim/quota.js';
import { UncertainClaims } from '../claim/uncertain-claims.js';
import { compareJobs, earliestOf } from '../claim/urgency.js';
import type { Source, WaitingTexts } from '../claim/waiting-texts.js';
import type { SqlContext } from '../context.js';
import { ask, type Operation } from '../operation.js';
import {
  CLAIM_FROM_SMALL,
  CLAIM_PLAIN_FROM,
  CLAIM_RANKED,
  claimFromLarge,
  IS_ANY_DUE,
  LARGE_BYTES,
  LOOK_AROUND,
} from './due-statements.js';
import { toArray } from './pg-driver.js';

/** Longest time between two looks for what a plain claim does not see, in milliseconds. */
const LOOK_AROUND_MS = 1_000;

/**
 * Texts up to which a statement stands alone. Of a long list the planner thinks that it takes so long that it is worth
 * compiling, which takes far longer; in a transaction of ours it does not.
 */
const FEW_TEXTS = 4;

/** The largest number of the server's. */
const NO_LIMIT = 2_147_483_647;

/** A request, and what it comes to. */
interface Wanted {
  readonly request: ClaimRequest;
  readonly limits: ReadonlyMap<string, number>;
  /** Jobs that the names may take together, each up to its own limit. */
  readonly sum: number;
  readonly sources: readonly Source[];
}

/** Jobs that were taken, and whether more may be due for a reason that their number does not tell. */
interface Taken {
  readonly jobs: StoredJob<string>[];
  readonly more: boolean;
}

/** What a plain claim does not see. */
interface Surroundings {
  /** Whether jobs without a due time were given one. */
  readonly isOrdered: boolean;
  /** Whether a plain job is due, be it locked by others that take it, or that write something else to it. */
  readonly isDue: boolean;
  /** The texts that have waiting jobs with a priority. */
  readonly ranked: readonly string[];
}

/** Takes due jobs, with one statement as a rule. Index: that of due-statements.ts; the write goes by place. */
export class PostgresClaims {
  readonly #context: SqlContext;
  readonly #texts: WaitingTexts;
  readonly #mark = new LowWaterMark();
  readonly #uncertain = new UncertainClaims();
  /** Whether jobs with a priority were waiting when it was last looked. */
  #isRanked = false;
  #lookedAroundAt = Number.NEGATIVE_INFINITY;
  /** The texts of a claim that was due for a look around; the next claim begins with it, whatever names that is for. */
  #owed: readonly string[] = [];
  /** The claim whose plan the server keeps: that for a table as large as it was when it was last looked. */
  #kept = CLAIM_FROM_SMALL;
  /** How often the table has become large. */
  #timesLarge = 0;

  constructor(context: SqlContext, texts: WaitingTexts) {
    this.#context = context;
    this.#texts = texts;
  }

  async claim(request: ClaimRequest): Promise<ClaimResult<string>> {
    const limits = limitsOf(request.wants);
    if (limits.size === 0 || request.total <= 0) return { jobs: [], more: false };
    await this.#uncertain.giveBack(this.#context, request.now);
    try {
      const { jobs, more } = await this.#claim(request, limits);
      return { jobs: jobs.sort(compareJobs), more: more || isCut(jobs, limits, request.total) };
    } catch (error) {
      this.#uncertain.add(request.token);
      // It may have taken too long, by a plan for a smaller table: it would do so again.
      this.#noteSize(LARGE_BYTES);
      throw error;
    }
  }

  async #claim(request: ClaimRequest, limits: ReadonlyMap<string, number>): Promise<Taken> {
    const { database } = this.#context;
    const names = [...limits.keys()];
    const sources = this.#texts.known(names) ?? (await database.run(() => this.#texts.of(names)));
    const sum = [...limits.values()].reduce((total, limit) => total + limit, 0);
    const wanted: Wanted = { request, limits, sum, sources };
    // Names that compete, or a name under several texts: only a look at all of them tells which jobs go first.
    const isTight = sum > request.total || sources.length > limits.size;
    if (!isTight && !this.#isRanked && this.#owed.length === 0) {
      const plain = () => this.#claimPlain(wanted);
      const taken = await (sources.length > FEW_TEXTS ? database.transact(plain) : database.run(plain));
      if (taken.jobs.length > 0) {
        // These can start; the next claim looks around.
        if (taken.jobs.length < sum && this.#isLookDue) this.#owed = sources.map(({ text }) => text);
        return { jobs: taken.jobs, more: taken.more || this.#owed.length > 0 };
      }
    }
    const owed = this.#owed;
    this.#owed = [];
    // In a transaction, where the server compiles nothing.
    return database.transact(() => this.#claimThoroughly(wanted, isTight, owed));
  }

  /** Whether it is time for such a look, if a claim found less than it wanted. */
  get #isLookDue(): boolean {
    return performance.now() - this.#lookedAroundAt >= LOOK_AROUND_MS;
  }

  *#claimPlain(wanted: Wanted): Operation<Taken> {
    const { request, sources, sum } = wanted;
    const texts = sources.map(({ text }) => text);
    const from = this.#mark.from(texts, request.now);
    if (from !== undefined) {
      const jobs = yield* this.#take(CLAIM_PLAIN_FROM, wanted, from.toISOString());
      const isFull = jobs.length >= sum;
      this.#mark.note(texts, { count: jobs.length, earliest: earliestOf(jobs), isFull });
      // Where some came, they can start, and the next claim looks at everything.
      if (jobs.length > 0) return { jobs, more: !isFull };
    }
    const jobs = yield* this.#take(this.#kept, wanted);
    this.#mark.note(texts, { count: jobs.length, earliest: earliestOf(jobs), isFull: jobs.length >= sum });
    this.#mark.lookedBack(texts, request.now);
    return { jobs, more: false };
  }

  *#claimThoroughly(wanted: Wanted, isTight: boolean, owed: readonly string[]): Operation<Taken> {
    const { isOrdered, isDue, ranked } = yield* this.#lookAround(wanted, owed);
    this.#isRanked = ranked.length > 0;
    if (isTight || this.#isRanked) {
      const isAny = isDue || isOrdered || this.#isRanked;
      return isAny ? yield* this.#takeRanked(wanted, ranked) : { jobs: [], more: false };
    }
    if (!isOrdered && !isDue) return { jobs: [], more: false };
    const { jobs, more } = yield* this.#claimPlain(wanted);
    // What is due and cannot be had is locked for a moment.
    return { jobs, more: more || jobs.length === 0 };
  }

  /** Looks at a few jobs of each text first, and at all only where that did not tell which are the most urgent. */
  *#takeRanked(wanted: Wanted, ranked: readonly string[]): Operation<Taken> {
    const { total } = wanted.request;
    const take = (atMost: number) => this.#take(CLAIM_RANKED, wanted, total, toArray(ranked), atMost);
    let jobs = yield* take(firstLook(wanted.sources.length, total));
    if (jobs.length === 0) jobs = yield* take(NO_LIMIT);
    // Where others were faster with some that it had chosen, it has looked at none in their place. Jobs that it got need
    // not wait for the answer: the next claim asks.
    return { jobs, more: jobs.length > 0 || (yield* this.#isAnyDue(wanted, ranked)) };
  }

  #noteSize(bytes: number): void {
    if (bytes < LARGE_BYTES) this.#kept = CLAIM_FROM_SMALL;
    else if (this.#kept === CLAIM_FROM_SMALL) this.#kept = claimFromLarge(this.#timesLarge++);
  }

  *#isAnyDue({ sources, request }: Wanted, ranked: readonly string[]): Operation<boolean> {
    const texts = toArray(sources.map(({ text }) => text));
    const parameters = [texts, request.now.toISOString(), toArray(ranked)];
    // All values come as texts.
    return (yield* ask({ sql: IS_ANY_DUE, parameters })).rows[0]?.[0] === 't';
  }

  *#take(
    sql: string,
    { request, limits, sources }: Wanted,
    ...rest: readonly (string | number)[]
  ): Operation<StoredJob<string>[]> {
    const { names } = this.#context;
    const { rows } = yield* ask({
      sql,
      parameters: [
        toArray(sources.map(({ text }) => text)),
        toArray(sources.map(({ name }) => Math.min(limits.get(name) ?? 0, request.total))),
        toArray(sources.map(({ name }) => name)),
        request.now.toISOString(),
        request.owner,
        request.token,
        request.heartbeatInterval,
        ...rest,
      ],
      isFixed: sql === this.#kept,
    });
    if (sql === CLAIM_FROM_SMALL && rows[0] !== undefined) this.#noteSize(Number(rows[0][CLAIMED_WIDTH]));
    return rows.map((row) => claimedJob(row, names, request));
  }

  *#lookAround({ sources, request }: Wanted, owed: readonly string[]): Operation<Surroundings> {
    this.#lookedAroundAt = performance.now();
    const texts = sources.map(({ text }) => text);
    const others = owed.filter((text) => !texts.includes(text));
    const { rows } = yield* ask({
      sql: LOOK_AROUND,
      parameters: [toArray(texts), request.now.toISOString(), toArray(others)],
    });
    this.#noteSize(Number(rows[0]?.[3] ?? 0));
    return {
      isOrdered: Number(rows[0]?.[0] ?? 0) > 0,
      isDue: Number(rows[0]?.[1] ?? 0) > 0,
      ranked: rows.flatMap(([, , text]) => (typeof text === 'string' ? [text] : [])),
    };
  }
}

/** Whether a limit was reached, so that more may be due behind it. */
function isCut(
  jobs: readonly StoredJob<string>[],
  limits: ReadonlyMap<string, number>,
  total: number,
): boolean {
  if (jobs.length >= total) return true;
  const taken = new Map<string, number>();
  for (const { name } of jobs) taken.set(name, (taken.get(name) ?? 0) + 1);
  return [...limits].some(([name, limit]) => (taken.get(name) ?? 0) >= limit);
}
