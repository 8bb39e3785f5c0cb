import type {
  ClaimRequest,
  ClaimResult,
  HeldClaim,
  LostClaim,
  RecoverRequest,
} from '../../src/store/claim-types.js';
import { type Claim, isHeldBy, isSame, type Ledger, type Owner, type Stored } from './ledger.js';
import { ORDINARY_MS } from './network.js';
import { nameOf } from './world.js';

/** How often a job may be given back without being started. */
const MOST_RETURNS = 20;

/** Reads what the store holds now. */
export type Read = (id: string) => Stored | undefined;

/** Jobs may be taken only while they are pending and due by the store's own clock, each under a token of its own. */
export function afterClaim(
  ledger: Ledger,
  owner: Owner,
  { token, total, wants }: ClaimRequest,
  { jobs }: ClaimResult<string>,
): void {
  const { world } = ledger;
  if (jobs.length > total) world.violate(`${owner.name} got ${jobs.length} jobs, and asked for ${total}`);
  for (const { name, limit } of wants) {
    if (jobs.filter((job) => job.name === name).length > limit) {
      world.violate(`${owner.name} got more than ${limit} jobs of ${name}`);
    }
  }
  for (const job of jobs) {
    const before = ledger.jobs.get(job._id);
    if (before?.status !== 'pending') {
      world.violate(`${owner.name} claimed ${nameOf(job._id)}, which was ${before?.status ?? 'not there'}`);
    } else if (before.nextRunAt.getTime() > world.now) {
      const early = before.nextRunAt.getTime() - world.now;
      world.violate(`${owner.name} claimed ${nameOf(job._id)} ${early} ms before it was due`);
    }
    ledger.addClaim({ id: job._id, token, owner, at: world.now, isOrphan: false });
    ledger.write(job._id, job);
  }
}

/** A heartbeat renews what its sender holds, and nothing else. */
export function afterRenew(
  ledger: Ledger,
  owner: Owner,
  claims: readonly HeldClaim<string>[],
  lost: readonly LostClaim<string>[],
  read: Read,
): void {
  for (const { id, token } of claims) {
    const before = ledger.jobs.get(id);
    const after = read(id);
    const isLost = lost.some((other) => other.id === id && other.token === token);
    if (isHeldBy(before, token) && ledger.claim(id, token)?.owner === owner) {
      if (isLost) ledger.world.violate(`${owner.name} was told that it lost ${nameOf(id)}, which it holds`);
      ledger.write(id, after);
    } else {
      requireSame(ledger, id, after, `${owner.name} renewed a claim that it does not hold`);
      if (!isLost) ledger.world.violate(`${owner.name} was not told that it lost ${nameOf(id)}`);
    }
  }
}

/** Only what has not begun goes back, or what gave up because a shutdown asked it to. */
export function afterRelease(
  ledger: Ledger,
  owner: Owner,
  claims: readonly HeldClaim<string>[],
  read: Read,
): void {
  for (const { id, token } of claims) {
    const before = ledger.jobs.get(id);
    const after = read(id);
    if (!isHeldBy(before, token)) {
      requireSame(ledger, id, after, `${owner.name} gave back a claim that it does not hold`);
      continue;
    }
    const run = ledger.claim(id, token)?.run;
    if (run === undefined) countReturn(ledger, id, owner);
    else if (run.how !== 'gave up') {
      ledger.world.violate(`${owner.name} gave back ${nameOf(id)}, whose handler ${run.how ?? 'runs'}`);
    }
    if (after?.status !== 'pending' || after.nextRunAt.getTime() !== before.nextRunAt.getTime()) {
      ledger.world.violate(`${nameOf(id)} was given back and is ${after?.status}`);
    }
    ledger.write(id, after);
  }
}

/** Who cannot start a job leaves it to others, instead of taking it again and again. */
function countReturn(ledger: Ledger, id: string, { name }: Owner): void {
  const returns = (ledger.returns.get(id) ?? 0) + 1;
  ledger.returns.set(id, returns);
  if (returns > MOST_RETURNS)
    ledger.world.violate(`${name} takes ${nameOf(id)} and gives it back, over and over`);
}

/** Only what was silent for too long is taken away, and nothing from owners that live and are in reach. */
export function afterRecover(ledger: Ledger, by: Owner, { lockTimeout }: RecoverRequest, read: Read): void {
  const { world } = ledger;
  for (const before of [...ledger.jobs.values()]) {
    if (before.status !== 'processing') continue;
    const after = read(before._id);
    if (isSame(before, after)) continue;
    const silence = world.now - (before.lockedAt?.getTime() ?? 0);
    if (silence <= lockTimeout) {
      world.violate(`${by.name} recovered ${nameOf(before._id)} after ${silence} ms of silence`);
    }
    const claim = ledger.holderOf(before);
    if (claim !== undefined) requireAbandoned(ledger, claim, by);
    ledger.write(before._id, after);
  }
}

/** How far a run has come may be written only while its claim holds. */
export function afterProgress(
  ledger: Ledger,
  owner: Owner,
  { id, token }: HeldClaim<string>,
  saved: boolean,
  read: Read,
): void {
  const isHeld = isHeldBy(ledger.jobs.get(id), token);
  if (saved !== isHeld) ledger.world.violate(`${owner.name} saved progress of ${nameOf(id)}: ${saved}`);
  if (isHeld) ledger.write(id, read(id));
  else requireSame(ledger, id, read(id), `${owner.name} saved progress under a claim that it lost`);
}

export function requireSame(ledger: Ledger, id: string, after: Stored | undefined, otherwise: string): void {
  if (!isSame(ledger.jobs.get(id), after)) ledger.world.violate(`${otherwise}: ${nameOf(id)}`);
}

function requireAbandoned(ledger: Ledger, { id, at, owner, isOrphan }: Claim, by: Owner): void {
  const { world } = ledger;
  if (!owner.isAlive || isOrphan) return;
  // A heartbeat comes at this interval, and takes its way there and back.
  const reaction = world.heartbeat + 4 * ORDINARY_MS;
  const { outage } = world.network;
  const trouble = Math.max(owner.troubledUntil, outage.until);
  if (world.now - trouble > reaction) {
    world.violate(`${by.name} took ${nameOf(id)} from ${owner.name}, which lives and is in reach`);
  }
  // Who has seen the outage lets the owners come first, which could not renew either.
  const hadOnlyThis = at < outage.from && outage.from - owner.troubledUntil > reaction;
  if (hadOnlyThis && by.startedAt < outage.from) {
    world.violate(`${by.name} took ${nameOf(id)} from ${owner.name} right after an outage`);
  }
}
