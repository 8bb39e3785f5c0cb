import type { ClaimRequest, ClaimResult } from '../claim-types.js';
import { copyValue } from './copy-value.js';
import type { JobTable } from './job-table.js';
import type { MemoryJob } from './memory-job.js';
import { byUrgency, type PendingQueue } from './pending-queue.js';

/** What may still be taken of one name. */
interface Source {
  readonly queue: PendingQueue;
  left: number;
}

/** Takes the most urgent due jobs, one after the other, from whichever wanted name has it. */
export function claim(table: JobTable, request: ClaimRequest, serverTime: Date): ClaimResult<string> {
  const sources = request.wants.flatMap(({ name, limit }): Source[] => {
    const queue = table.pending(name);
    return queue === undefined || limit <= 0 ? [] : [{ queue, left: limit }];
  });
  const jobs: MemoryJob[] = [];
  while (jobs.length < request.total) {
    const source = mostUrgent(sources, request.now);
    const job = source?.queue.peek(request.now);
    if (source === undefined || job === undefined) break;
    source.left -= 1;
    const claimed = claimedBy(request, job, serverTime);
    table.put(claimed);
    jobs.push(claimed);
  }
  return {
    jobs: jobs.map((job) => copyValue(job)),
    more: sources.some(({ queue }) => queue.peek(request.now) !== undefined),
  };
}

function mostUrgent(sources: readonly Source[], now: Date): Source | undefined {
  let best: { source: Source; job: MemoryJob } | undefined;
  for (const source of sources) {
    const job = source.left > 0 ? source.queue.peek(now) : undefined;
    if (job !== undefined && (best === undefined || byUrgency(job, best.job) < 0)) best = { source, job };
  }
  return best?.source;
}

function claimedBy(request: ClaimRequest, job: MemoryJob, serverTime: Date): MemoryJob {
  return {
    ...job,
    status: 'processing',
    claimedBy: request.owner,
    claimToken: request.token,
    // The server's own time: recovery measures silence by the same clock.
    lockedAt: serverTime,
    lastHeartbeat: serverTime,
    heartbeatInterval: request.heartbeatInterval,
    updatedAt: serverTime,
  };
}
