import { isDeepStrictEqual } from 'node:util';
import type { Outcome, SettleBatch, Settled, Settlement } from '../../src/store/settle-types.js';
import { type Read, requireSame } from './lease-rules.js';
import { type Claim, isHeldBy, isSame, type Ledger, type Owner, type Stored } from './ledger.js';
import { nameOf } from './world.js';

const MINUTE = 60_000;

/** An outcome is written once, by the process that ran the handler, while its claim holds. */
export function afterSettle(
  ledger: Ledger,
  owner: Owner,
  { at, items }: SettleBatch<string>,
  answers: readonly Settled<string>[],
  read: Read,
): void {
  const others: [Settlement<string>, Settled<string>][] = [];
  for (const [index, item] of items.entries()) {
    const answer = answers[index];
    const before = ledger.jobs.get(item.job._id);
    if (answer === undefined) ledger.world.violate(`${owner.name} got no answer for ${nameOf(item.job._id)}`);
    else if (isHeldBy(before, item.token)) applied(ledger, owner, at, item, before, answer, read);
    else others.push([item, answer]);
  }
  // Afterwards: a batch may hold a lost run of a job and the next one, which is not lost.
  for (const [item, answer] of others) passedOver(ledger, owner, at, item, answer, read);
}

function applied(
  ledger: Ledger,
  owner: Owner,
  at: Date,
  item: Settlement<string>,
  before: Stored,
  answer: Settled<string>,
  read: Read,
): void {
  const { job, token, outcome } = item;
  const id = job._id;
  const left = read(id);
  const claim = ledger.claim(id, token);
  const wrong = wrongWith(owner, claim, before, outcome, answer.applied ? left : undefined);
  if (claim === undefined || left === undefined || wrong !== undefined) {
    ledger.world.violate(`${nameOf(id)} ${wrong}`);
    return;
  }
  if (before.repeatInterval !== undefined) checkSeries(ledger, claim, before, outcome, left);
  ledger.write(id, left);
  const answerId = answer.job._id;
  if (answerId !== id) ledger.write(answerId, read(answerId));
  const { type } = outcome;
  ledger.settlements.push({ claim, at: at.getTime(), type, answerId, left, told: 'no', announced: false });
}

function wrongWith(
  owner: Owner,
  claim: Claim | undefined,
  before: Stored,
  outcome: Outcome,
  left: Stored | undefined,
): string | undefined {
  if (claim?.owner !== owner) return `was settled by ${owner.name}, which does not hold it`;
  if (claim.run?.endedAt === undefined) return 'was settled before its handler ended';
  if (left?.status !== statusAfter(outcome)) return `is ${left?.status} after the outcome ${outcome.type}`;
  if ('result' in outcome && !isDeepStrictEqual(left.result, claim.run.result)) {
    return 'has the result of another run';
  }
  if (outcome.type === 'retry' && !isNextAttempt(before, outcome.failCount)) {
    return `is tried again after ${outcome.failCount} of ${before.maxRetries} attempts`;
  }
  return undefined;
}

/** Nothing is written; an earlier try of the same batch is known again, unless the job has moved on since. */
function passedOver(
  ledger: Ledger,
  owner: Owner,
  at: Date,
  { job, token }: Settlement<string>,
  { applied: isApplied }: Settled<string>,
  read: Read,
): void {
  const id = job._id;
  requireSame(ledger, id, read(id), `${owner.name} wrote an outcome under a claim that it lost`);
  const earlier = ledger.settlements.find((one) => one.claim.id === id && one.claim.token === token);
  if (isApplied && earlier?.at !== at.getTime()) {
    ledger.world.violate(`${owner.name} was told that an outcome of ${nameOf(id)} is stored, and it is not`);
  }
  if (!isApplied && earlier !== undefined) {
    if (isSame(earlier.left, ledger.jobs.get(id))) {
      ledger.world.violate(
        `${owner.name} was told that an outcome of ${nameOf(id)} is lost, and it is stored`,
      );
    }
    earlier.told = 'too late';
  }
}

/** A series goes on, and its next occurrence is the first one after the run: none is skipped, none comes twice. */
function checkSeries(ledger: Ledger, claim: Claim, before: Stored, outcome: Outcome, left: Stored): void {
  const { world } = ledger;
  if (outcome.type !== 'repeat' && outcome.type !== 'failed') {
    if (outcome.type === 'completed') world.violate(`the series ${nameOf(before._id)} has ended`);
    return;
  }
  const ranUntil = Math.max(claim.run?.endedAt ?? 0, before.nextRunAt.getTime());
  const step = minutesOf(before) * MINUTE;
  const expected = (Math.floor(ranUntil / step) + 1) * step;
  if (left.nextRunAt.getTime() !== expected) {
    const [found, wanted] = [left.nextRunAt, new Date(expected)].map((date) => date.toISOString());
    world.violate(`the series ${nameOf(before._id)} goes on at ${found}, not at ${wanted}`);
  }
  ledger.advances.set(before._id, (ledger.advances.get(before._id) ?? 0) + 1);
}

/** Attempts are counted one by one, and the last one is the last. */
function isNextAttempt({ failCount, maxRetries = 1 }: Stored, attempts: number): boolean {
  return attempts === failCount + 1 && attempts < maxRetries;
}

/** The schedules of these histories fire every so many minutes, from the full hour on. */
export function minutesOf({ repeatInterval }: Stored): number {
  return Number(/^\*\/(\d+)/.exec(repeatInterval ?? '')?.[1] ?? 1);
}

function statusAfter(outcome: Outcome): Stored['status'] {
  switch (outcome.type) {
    case 'completed':
      return 'completed';
    case 'cancelled':
      return 'cancelled';
    case 'failed':
      return outcome.nextRunAt === undefined ? 'failed' : 'pending';
    default:
      return 'pending';
  }
}
