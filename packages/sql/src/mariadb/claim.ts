import type { ClaimRequest, ClaimResult, StoredJob } from '@monque/core';
import { claimedColumns, claimedJob } from '../claim/claimed-job.js';
import { mostUrgent } from '../claim/most-urgent.js';
import { byUrgency, type DueJob, limitsOf, takeWithin } from '../claim/quota.js';
import { UncertainClaims } from '../claim/uncertain-claims.js';
import type { WaitingTexts } from '../claim/waiting-texts.js';
import type { SqlContext } from '../context.js';
import { ask, type Operation, type Row } from '../operation.js';
import { BASIC_COLUMNS, TIME_COLUMNS } from '../rows/job-row.js';
import { toMariadbTime } from '../rows/times.js';
import { type Group, groupsOf } from './groups.js';

interface DueRow extends DueJob {
  readonly id: string;
  readonly row: Row;
}

const DUE_TIME = BASIC_COLUMNS.indexOf('ScheduledAt');

const COLUMNS = claimedColumns(
  (name) => (TIME_COLUMNS.has(name) ? `CAST(\`${name}\` AS CHAR)` : `\`${name}\``),
  (columns) => {
    const all = columns.join(', ');
    return `CASE WHEN COALESCE(${all}) IS NOT NULL THEN JSON_ARRAY(${all}) END`;
  },
);

/** Due jobs of a group, the earliest first. Other claims lock other rows, and none waits for another. */
const DUE = `SELECT ${COLUMNS} FROM \`Jobs\` FORCE INDEX (\`IX_Monque_Jobs_Due\`)
WHERE \`State\` = ? AND \`TypeName\` = ? AND \`Priority\` <=> ? AND \`ScheduledAt\` <= ?
ORDER BY \`ScheduledAt\` LIMIT ? FOR UPDATE SKIP LOCKED`;

const take = (ids: number) => `UPDATE \`Jobs\` SET \`State\` = 2, \`ClaimedBy\` = ?, \`ClaimToken\` = ?,
  \`HeartbeatInterval\` = ?, \`LockedAt\` = UTC_TIMESTAMP(3), \`LastHeartbeat\` = UTC_TIMESTAMP(3),
  \`UpdatedAt\` = UTC_TIMESTAMP(3)
WHERE \`Id\` IN (${list(ids)})`;

/**
 * Gives a due time to jobs of others that have none, which are due at once: when they were stored, and not later than
 * now. Such rows have no priority. Index: IX_Monque_Jobs_Due.
 */
const PUT_IN_ORDER = `UPDATE \`Jobs\` FORCE INDEX (\`IX_Monque_Jobs_Due\`) SET \`ScheduledAt\` = LEAST(\`CreatedAt\`, UTC_TIMESTAMP(3))
WHERE \`State\` = ? AND \`TypeName\` = ? AND \`Priority\` IS NULL AND \`ScheduledAt\` IS NULL`;

function list(count: number): string {
  return Array.from({ length: count }, () => '?').join(', ');
}

/** Takes due jobs in one transaction: a look that locks them, and the write. Index: IX_Monque_Jobs_Due, PK_Jobs. */
export class MariadbClaims {
  readonly #context: SqlContext;
  readonly #texts: WaitingTexts;
  readonly #uncertain = new UncertainClaims();

  constructor(context: SqlContext, texts: WaitingTexts) {
    this.#context = context;
    this.#texts = texts;
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
    const groups = yield* groupsOf(yield* this.#texts.of(names));
    for (const { source, state, isUnordered } of groups) {
      if (isUnordered) yield* ask({ sql: PUT_IN_ORDER, parameters: [state, source.text] });
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
    // A limit was reached: what lies behind it was not looked at. Or all that is due is locked, by others that take it
    // or write something else to it.
    const isCut = taken.length < due.length || taken.length >= request.total || reaches(taken, limits);
    return { jobs, more: isCut || taken.length === 0 };
  }

  *#dueOf(group: Group, request: ClaimRequest, count: number): Operation<DueRow[]> {
    const { rows } = yield* ask({
      sql: DUE,
      parameters: [group.state, group.source.text, group.priority, toMariadbTime(request.now), count],
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

/** Whether a name has got as many as were wanted of it. */
function reaches(taken: readonly DueRow[], limits: ReadonlyMap<string, number>): boolean {
  const counts = new Map<string, number>();
  for (const { name } of taken) counts.set(name, (counts.get(name) ?? 0) + 1);
  return [...limits].some(([name, limit]) => (counts.get(name) ?? 0) >= limit);
}
