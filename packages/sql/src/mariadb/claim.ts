import type { ClaimRequest, ClaimResult, StoredJob } from '@monque/core';
import { claimedJob } from '../claim/claimed-job.js';
import { mostUrgent } from '../claim/most-urgent.js';
import { byUrgency, type DueJob, limitsOf, takeWithin } from '../claim/quota.js';
import { UncertainClaims } from '../claim/uncertain-claims.js';
import type { WaitingTexts } from '../claim/waiting-texts.js';
import type { SqlContext } from '../context.js';
import { ask, type Operation, type Row } from '../operation.js';
import { BASIC_COLUMNS } from '../rows/job-row.js';
import { toMariadbTime } from '../rows/times.js';
import { dueJobs, putInOrder, take } from './due-statements.js';
import { type Group, groupsOf } from './groups.js';
import type { NameCondition } from './name-condition.js';

interface DueRow extends DueJob {
  readonly id: string;
  readonly row: Row;
}

const DUE_TIME = BASIC_COLUMNS.indexOf('ScheduledAt');

/** Takes due jobs in one transaction: a look that locks them, and the write. Index: IX_Monque_Jobs_Due, PK_Jobs. */
export class MariadbClaims {
  readonly #context: SqlContext;
  readonly #texts: WaitingTexts;
  readonly #named: NameCondition;
  readonly #due: string;
  readonly #putInOrder: string;
  readonly #uncertain = new UncertainClaims();

  constructor(context: SqlContext, texts: WaitingTexts, named: NameCondition) {
    this.#context = context;
    this.#texts = texts;
    this.#named = named;
    this.#due = dueJobs(named);
    this.#putInOrder = putInOrder(named);
  }

  async claim(request: ClaimRequest): Promise<ClaimResult<string>> {
    const limits = limitsOf(request.wants);
    if (limits.size === 0 || request.total <= 0) return { jobs: [], more: false };
    const { database } = this.#context;
    await this.#uncertain.giveBack(this.#context, request.now);
    const groups = await database.run(() => this.#groups([...limits.keys()], request.now));
    if (groups.length === 0) return { jobs: [], more: false };
    try {
      return await database.transact(() => this.#claim(request, limits, groups));
    } catch (error) {
      this.#uncertain.add(request.token);
      throw error;
    }
  }

  /** The groups in which something is due, the most urgent first. */
  *#groups(names: readonly string[], now: Date): Operation<Group[]> {
    const groups = yield* groupsOf(yield* this.#texts.of(names), this.#named);
    for (const { source, state, isUnordered } of groups) {
      if (!isUnordered) continue;
      yield* ask({ sql: this.#putInOrder, parameters: [state, ...this.#named.values(source.text)] });
    }
    return groups
      .filter(({ first, isUnordered }) => isUnordered || (first !== undefined && first <= now))
      .sort((one, other) => (other.priority ?? 0) - (one.priority ?? 0));
  }

  *#claim(
    request: ClaimRequest,
    limits: ReadonlyMap<string, number>,
    groups: readonly Group[],
  ): Operation<ClaimResult<string>> {
    const { total } = request;
    const due: DueRow[] = [];
    // Groups of one priority are looked at together; what is below them only while there is room.
    for (const level of levelsOf(groups)) {
      if (takeWithin(due, limits, total).length >= total) break;
      const found = yield* mostUrgent(
        level,
        { limits, total },
        ({ source }) => Math.min(limits.get(source.name) ?? 0, total),
        (group, count) => this.#dueOf(group, request, count),
      );
      due.push(...found);
    }
    due.sort(byUrgency);
    const taken = takeWithin(due, limits, request.total);
    const jobs = yield* this.#take(taken, request);
    // A limit may have been reached, or rows were locked: by others that take them, that write something else to them, or
    // that look at the range before them. The next look, which locks nothing, tells whether anything is left.
    return { jobs, more: true };
  }

  *#dueOf(group: Group, request: ClaimRequest, count: number): Operation<DueRow[]> {
    const { rows } = yield* ask({
      sql: this.#due,
      parameters: [
        group.state,
        ...this.#named.values(group.source.text),
        group.priority,
        toMariadbTime(request.now),
        count,
      ],
    });
    return rows.map((row) => ({
      name: group.source.name,
      rank: group.priority ?? 0,
      at: String(row[DUE_TIME]),
      id: String(row[0]),
      row,
    }));
  }

  *#take(taken: readonly DueRow[], request: ClaimRequest): Operation<StoredJob<string>[]> {
    if (taken.length === 0) return [];
    const ids = taken.map(({ id }) => id);
    yield* ask({
      sql: take(ids.length),
      parameters: [request.owner, request.token, request.heartbeatInterval, ...ids],
    });
    return taken.map(({ row }) => claimedJob(row, this.#context.names, request));
  }
}

/** Groups of the same priority, the highest first, as they come. */
function levelsOf(groups: readonly Group[]): Group[][] {
  const levels = new Map<number, Group[]>();
  for (const group of groups) {
    const level = levels.get(group.priority ?? 0);
    if (level === undefined) levels.set(group.priority ?? 0, [group]);
    else level.push(group);
  }
  return [...levels.values()];
}
