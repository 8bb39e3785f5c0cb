import { failReasonOf, stackOf, toError } from '../../job/thrown.js';
import type { NewLogEntry } from '../../store/log-types.js';
import type { EngineParts } from '../engine-types.js';
import type { Pending, Stored } from './settler.js';

/**
 * Adds an entry to the log of every job whose attempt failed, so that all attempts can be seen later. Before the
 * outcome is stored: whoever learns of the failure, in whatever way, finds it in the log.
 */
export async function logFailures(batch: readonly Pending[], parts: EngineParts): Promise<void> {
  await append(
    batch.flatMap((pending) => entryOf(pending, pending.run.id, parts)),
    parts,
  );
}

/** The failed copy of a recurring job is kept for inspection, so it gets the entry as well. */
export async function logCopies(outcomes: readonly Stored[], parts: EngineParts): Promise<void> {
  const copies = outcomes.filter(({ pending, settled }) => String(settled.job._id) !== pending.run.key);
  await append(
    copies.flatMap(({ pending, settled }) => entryOf(pending, settled.job._id, parts)),
    parts,
  );
}

function entryOf(
  { run, executed: { error } }: Pending,
  jobId: unknown,
  { clock }: EngineParts,
): NewLogEntry[] {
  if (error === undefined) return [];
  const stack = stackOf(error);
  return [
    {
      jobId,
      at: clock.now(),
      attempt: run.attempt,
      level: 'error',
      text: failReasonOf(error),
      ...(stack === undefined ? {} : { stack }),
    },
  ];
}

/** A log that cannot be written must not keep the outcome from being stored. */
async function append(entries: readonly NewLogEntry[], { store, emit }: EngineParts): Promise<void> {
  if (entries.length === 0) return;
  await store.appendLogs(entries).catch((thrown: unknown) => emit('job:error', { error: toError(thrown) }));
}
