import type { HeldClaim, LostClaim } from '@monque/core';
import type { Expression, SqlBool } from 'kysely';
import type { SqlContext } from '../context.js';
import { ask, type Operation, type Row } from '../operation.js';
import { statusOf } from '../rows/job-states.js';
import { JobState } from '../schema/columns.js';
import { jobs } from './conditions.js';
import { givenBack } from './unclaimed.js';

type Claims = readonly HeldClaim<string>[];

/** Whatever holds its claims longer than this is renewed in parts. */
const MOST_AT_ONCE = 5_000;

/**
 * Renews claims by the server's clock. `LockedAt` moves with `LastHeartbeat`, so that an old one means a dead owner,
 * whoever looks. Index: PK_Jobs.
 */
export function* renew(context: SqlContext, owner: string, claims: Claims): Operation<LostClaim<string>[]> {
  const { dialect } = context;
  const lost: LostClaim<string>[] = [];
  for (const part of inParts(claims)) {
    const { now } = dialect;
    const query = dialect.builder
      .updateTable('Jobs')
      .set({ LockedAt: now, LastHeartbeat: now, UpdatedAt: now })
      .where(held(context, part))
      .where('ClaimedBy', '=', owner);
    const { affected } = yield* ask(query.compile());
    if (affected < part.length) lost.push(...(yield* lostAmong(context, owner, part)));
  }
  return lost;
}

/** Tells which claims no longer hold. Index: PK_Jobs. */
export function* verify(context: SqlContext, owner: string, claims: Claims): Operation<LostClaim<string>[]> {
  const lost: LostClaim<string>[] = [];
  for (const part of inParts(claims)) lost.push(...(yield* lostAmong(context, owner, part)));
  return lost;
}

/** Gives unstarted claims back as they were. Index: PK_Jobs. */
export function* release(context: SqlContext, claims: Claims, now: Date): Operation<void> {
  const { dialect, notices } = context;
  for (const part of inParts(claims)) {
    const query = dialect.builder
      .updateTable('Jobs')
      .set(givenBack(dialect.toTime(now)))
      .where(held(context, part));
    yield* ask(query.compile());
  }
  // They were due when they were taken.
  yield* notices.due(new Date(0));
}

/** Those whose claims still hold. A token covers all jobs of one claim, and no two claims share one. */
function held({ dialect }: SqlContext, claims: Claims): Expression<SqlBool> {
  const ids = claims.map(({ id }) => id);
  const tokens = [...new Set(claims.map(({ token }) => token))];
  return jobs.and([
    dialect.oneOf('Id', ids),
    dialect.oneOf('ClaimToken', tokens),
    jobs('State', '=', JobState.processing),
  ]);
}

function* lostAmong(context: SqlContext, owner: string, claims: Claims): Operation<LostClaim<string>[]> {
  const { dialect } = context;
  const query = dialect.builder
    .selectFrom('Jobs')
    .select(['Id', 'State', 'ClaimedBy', 'ClaimToken'])
    .where(
      dialect.oneOf(
        'Id',
        claims.map(({ id }) => id),
      ),
    );
  const { rows } = yield* ask(query.compile());
  const byId = new Map(rows.map((row) => [row[0], row]));
  return claims.flatMap(({ id, token }): LostClaim<string>[] => {
    const row = byId.get(id);
    const [, state, claimedBy, claimToken] = row ?? [];
    if (Number(state) === JobState.processing && claimToken === token && claimedBy === owner) return [];
    return [{ id, token, reason: lossOf(row) }];
  });
}

function lossOf(row: Row | undefined): LostClaim['reason'] {
  if (row === undefined) return 'deleted';
  return statusOf(Number(row[1])) === 'cancelled' ? 'cancelled' : 'taken';
}

function inParts(claims: Claims): Claims[] {
  const parts: Claims[] = [];
  for (let start = 0; start < claims.length; start += MOST_AT_ONCE) {
    parts.push(claims.slice(start, start + MOST_AT_ONCE));
  }
  return parts;
}
