import type { ClaimRequest, ClaimResult } from '@monque/core';
import { CLAIMED_WIDTH, claimedJob } from '../claim/claimed-job.js';
import { mostUrgent } from '../claim/most-urgent.js';
import { byUrgency, type DueJob, limitsOf, takeWithin } from '../claim/quota.js';
import type { Source, WaitingTexts } from '../claim/waiting-texts.js';
import type { SqlContext } from '../context.js';
import { ask, type Operation, type Row } from '../operation.js';
import { BASIC_COLUMNS } from '../rows/job-row.js';
import { toSqliteTime } from '../rows/times.js';
import {
  ANY_UNORDERED,
  DUE_PLAIN,
  DUE_RANKED,
  HIGHEST_RANK,
  NEXT_RANK,
  PUT_IN_ORDER,
} from './due-statements.js';

interface DueRow extends DueJob {
  readonly row: Row;
}

/** Where the due time stands in a row, and where its place in the table. */
const DUE_TIME = BASIC_COLUMNS.indexOf('ScheduledAt');
const PLACE = CLAIMED_WIDTH;

const CLAIM = `UPDATE "Jobs" SET "State" = 2, "ClaimedBy" = ?, "ClaimToken" = ?, "HeartbeatInterval" = ?,
  "LockedAt" = ?, "LastHeartbeat" = ?, "UpdatedAt" = ?
WHERE rowid IN (SELECT value FROM json_each(?))`;

const SERVER_TIME = `SELECT strftime('%Y-%m-%d %H:%M:%f', 'now') || '+00:00'`;

/** Whether a claim would find anything: only then is the file locked. */
export function* isAnythingDue(texts: WaitingTexts, request: ClaimRequest): Operation<boolean> {
  if (request.total <= 0) return false;
  const now = toSqliteTime(request.now);
  for (const { text } of yield* texts.of([...limitsOf(request.wants).keys()])) {
    if ((yield* ask({ sql: ANY_UNORDERED, parameters: [text] })).rows.length > 0) return true;
    if ((yield* dueOf({ name: text, text }, now, 1)).length > 0) return true;
  }
  return false;
}

/** Takes due jobs, in one transaction that no other connection can come into. Index: those of due-statements.ts. */
export function* claim(
  { names }: SqlContext,
  texts: WaitingTexts,
  request: ClaimRequest,
): Operation<ClaimResult<string>> {
  const limits = limitsOf(request.wants);
  const now = toSqliteTime(request.now);
  const sources = yield* texts.of([...limits.keys()]);
  for (const { text } of sources) yield* putInOrder(text);
  const due = yield* mostUrgent(
    sources,
    { limits, total: request.total },
    // One more than wanted tells whether there is more.
    ({ name }) => Math.min(limits.get(name) ?? 0, request.total) + 1,
    (source, count) => dueOf(source, now, count),
  );
  const taken = takeWithin(due, limits, request.total);
  const jobs = taken.length === 0 ? [] : yield* take(names, taken, request);
  return { jobs, more: taken.length < due.length };
}

/** The most urgent due jobs of one text, so many at most. */
function* dueOf({ name, text }: Source, now: string, limit: number): Operation<DueRow[]> {
  const due: DueRow[] = [];
  let hasPlain = false;
  let groups = 0;
  const add = function* (rank: number, sql: string, parameters: readonly unknown[]): Operation<void> {
    groups += 1;
    const { rows } = yield* ask({ sql, parameters });
    for (const row of rows) due.push({ name, rank, at: row[DUE_TIME] as string, row });
  };
  const plain = () => {
    hasPlain = true;
    return add(0, DUE_PLAIN, [text, now, limit]);
  };
  let rank = (yield* ask({ sql: HIGHEST_RANK, parameters: [text] })).rows[0]?.[0] as number | undefined;
  while (rank !== undefined && due.length < limit) {
    if (rank <= 0 && !hasPlain) yield* plain();
    yield* add(rank, DUE_RANKED, [text, rank, now, limit]);
    rank = (yield* ask({ sql: NEXT_RANK, parameters: [text, rank] })).rows[0]?.[0] as number | undefined;
  }
  if (!hasPlain && due.length < limit) yield* plain();
  // Of each priority as many were read as are wanted of all: what is behind them must not stay.
  return groups > 1 ? due.sort(byUrgency).slice(0, limit) : due;
}

function* putInOrder(text: string): Operation<void> {
  const { rows } = yield* ask({ sql: ANY_UNORDERED, parameters: [text] });
  if (rows.length > 0) yield* ask({ sql: PUT_IN_ORDER, parameters: [text] });
}

/** Nobody has come between the look and this write: all of it is one transaction. */
function* take(
  names: SqlContext['names'],
  taken: readonly DueRow[],
  request: ClaimRequest,
): Operation<ClaimResult<string>['jobs']> {
  const serverTime = (yield* ask({ sql: SERVER_TIME, parameters: [] })).rows[0]?.[0];
  yield* ask({
    sql: CLAIM,
    parameters: [
      request.owner,
      request.token,
      request.heartbeatInterval,
      serverTime,
      serverTime,
      serverTime,
      JSON.stringify(taken.map(({ row }) => row[PLACE])),
    ],
  });
  return taken.map(({ row }) => claimedJob(row, names, request));
}
