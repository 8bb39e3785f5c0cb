import type { EngineParts } from '../engine/engine-types.js';
import { ConnectionError } from '../errors/operation-errors.js';

/** Silence, in heartbeats of this instance, after which another one of the same name counts as gone. */
const HEARTBEATS = 2;

/**
 * Refuses an instance id that a live process uses: the two would renew each other's claims. A claim of ours
 * that was renewed lately can only be another process's, since this one has claimed nothing yet.
 */
export async function refuseLiveInstance(
  parts: Pick<EngineParts, 'store' | 'clock' | 'options'>,
): Promise<void> {
  const { heartbeatInterval, schedulerInstanceId: id } = parts.options;
  const since = new Date(parts.clock.millis() - HEARTBEATS * heartbeatInterval);
  const job = await parts.store.findLiveClaim(id, since);
  if (job === undefined) return;
  throw new ConnectionError(
    `The schedulerInstanceId "${id}" is in use: a live process holds job ${String(job._id)} ("${job.name}") under it. ` +
      'Give each process an id of its own, or leave the option out',
  );
}
