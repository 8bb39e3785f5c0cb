import { backoffDelay } from '../../job/backoff.js';
import type { BackoffOptions } from '../../job/backoff-options.js';
import { toError } from '../../job/thrown.js';
import type { EngineParts } from '../engine-types.js';
import type { Run } from './run.js';

/** Milliseconds until the next attempt: the job's own backoff, else its definition's, its worker's, the instance's. */
export function retryDelay(run: Run, failCount: number, error: Error, parts: EngineParts): number {
  const { job, worker } = run;
  const backoff = job.backoff ?? worker.definition?.backoff ?? worker.options.backoff;
  if (typeof backoff !== 'function') return delayOf(failCount, backoff, parts);
  try {
    const delay = backoff(failCount, error, { ...job });
    if (Number.isFinite(delay) && delay >= 0) return delay;
    throw new RangeError(
      `The backoff function of "${worker.name}" returned ${String(delay)}. It must return milliseconds, 0 or more`,
    );
  } catch (thrown) {
    // A job must not hang because its backoff is broken: the default applies, and somebody is told.
    parts.emit('job:error', { error: toError(thrown), job });
    return delayOf(failCount, undefined, parts);
  }
}

function delayOf(failCount: number, own: BackoffOptions | undefined, { options, host }: EngineParts): number {
  const backoff = {
    type: own?.type ?? 'exponential',
    delay: own?.delay ?? options.baseRetryInterval,
    maxDelay: own?.maxDelay ?? options.maxBackoffDelay,
    jitter: own?.jitter ?? options.retryJitter,
  };
  return backoffDelay(failCount, backoff, () => host.random());
}
