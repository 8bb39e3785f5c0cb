import { type Change, changeableStatuses } from '../../src/store/change-types.js';
import type { Insert, Inserted } from '../../src/store/insert-types.js';
import type { Read } from './lease-rules.js';
import { isSame, type Ledger, type Owner, type Stored } from './ledger.js';
import { nameOf } from './world.js';

/** What is stored is new; a duplicate is a job that waits or runs under the same key. */
export function afterInsert(
  ledger: Ledger,
  inserts: readonly Insert[],
  answers: readonly Inserted<string>[],
  read: Read,
): void {
  for (const [index, { job: given }] of inserts.entries()) {
    const answer = answers[index];
    if (answer === undefined) {
      ledger.world.violate('an insert got no answer');
      return;
    }
    const { job, outcome } = answer;
    const before = ledger.jobs.get(job._id);
    if (outcome === 'inserted') {
      if (before !== undefined) ledger.world.violate(`${nameOf(job._id)} was stored twice`);
      ledger.noteLabel((given.data as { label: number }).label, job._id);
    } else if (before === undefined || before.uniqueKey !== given.uniqueKey || before.name !== given.name) {
      ledger.world.violate(`${nameOf(job._id)} is no duplicate of what was to be stored`);
    } else if (outcome === 'replaced' && before.status !== 'pending') {
      ledger.world.violate(`${nameOf(job._id)} was replaced while it was ${before.status}`);
    }
    // A later request of the same batch may have replaced it.
    ledger.write(job._id, read(job._id) ?? job);
  }
}

/** A job is changed from the statuses that allow it, and to what the change says. */
export function afterChange(
  ledger: Ledger,
  by: Owner,
  ids: Iterable<string>,
  change: Change,
  read: Read,
): void {
  for (const id of ids) {
    const before = ledger.jobs.get(id);
    const after = read(id);
    if (before === undefined || isSame(before, after)) continue;
    if (
      !changeableStatuses(change).includes(before.status) ||
      after?.status !== statusAfter(change, before)
    ) {
      ledger.world.violate(`${change.type} made ${nameOf(id)} ${after?.status} from ${before.status}`);
    }
    if (change.type === 'cancel' || change.type === 'forgo') {
      const key = `${by.name} ${id}`;
      ledger.cancellations.set(key, (ledger.cancellations.get(key) ?? 0) + 1);
    }
    ledger.write(id, after);
  }
}

export function afterRemove(ledger: Ledger, ids: Iterable<string>, read: Read): void {
  for (const id of [...ids]) if (ledger.jobs.has(id) && read(id) === undefined) ledger.write(id, undefined);
}

function statusAfter(change: Change, { awaitsBatchId }: Stored): Stored['status'] {
  switch (change.type) {
    case 'cancel':
    case 'forgo':
      return 'cancelled';
    case 'await':
      return awaitsBatchId === undefined ? 'awaiting-continuation' : 'awaiting-batch';
    default:
      return 'pending';
  }
}
