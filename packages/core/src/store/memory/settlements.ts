import type { Outcome, SettleBatch, Settled, Settlement } from '../settle-types.js';
import { copyValue } from './copy-value.js';
import type { JobIds } from './job-ids.js';
import type { JobTable } from './job-table.js';
import { isHeld, type MemoryJob, unclaimed, without } from './memory-job.js';

/** What tells a settlement from any other of the same job. */
interface Trace {
  readonly token: string;
  readonly at: number;
  readonly type: Outcome['type'];
  /** The job to answer: the failed copy of a recurring job, else the job itself. */
  readonly answer: string;
}

/** Writes outcomes, each only while its claim holds, and knows the latest one of each job again. */
export class Settlements {
  readonly #table: JobTable;
  readonly #ids: JobIds;
  readonly #latest = new Map<string, Trace>();

  constructor(table: JobTable, ids: JobIds) {
    this.#table = table;
    this.#ids = ids;
  }

  settle({ at, items }: SettleBatch<string>): Settled<string>[] {
    return items.map((item) => this.#settleOne(item, new Date(at)));
  }

  /** The job is gone, and what is known of it goes with it. */
  forget(id: string): void {
    this.#latest.delete(id);
  }

  #settleOne(item: Settlement<string>, at: Date): Settled<string> {
    const job = this.#table.get(item.job._id);
    if (isHeld(job, item.token)) return { applied: true, job: this.#apply(job, item, at) };
    // An earlier try may have taken effect although its caller only saw an error.
    const trace = this.#latest.get(item.job._id);
    const isRepeat =
      trace?.token === item.token && trace.at === at.getTime() && trace.type === item.outcome.type;
    const stored = isRepeat ? (this.#table.get(trace.answer) ?? job) : undefined;
    return { applied: stored !== undefined, job: copyValue(stored ?? item.job) };
  }

  #apply(job: MemoryJob, { token, startedAt, outcome: given }: Settlement<string>, at: Date): MemoryJob {
    const outcome = copyValue(given);
    const ended: MemoryJob = { ...unclaimed(job), executedAt: new Date(startedAt), updatedAt: at };
    let answer = afterRun(ended, outcome, at);
    if (outcome.type === 'failed' && outcome.nextRunAt !== undefined) {
      const failed = answer;
      this.#table.put(afterRun(ended, { type: 'repeat', nextRunAt: outcome.nextRunAt }, at));
      // No longer recurring: the series has its own document, and retrying the copy must not start another.
      answer = {
        ...without(failed, 'repeatInterval', 'timezone'),
        _id: this.#ids.next(at.getTime()),
        createdAt: at,
      };
    }
    this.#table.put(answer);
    this.#latest.set(job._id, { token, at: at.getTime(), type: outcome.type, answer: answer._id });
    return copyValue(answer);
  }
}

/** The document that an outcome leaves. Fields that do not apply are absent. */
function afterRun(job: MemoryJob, outcome: Outcome, at: Date): MemoryJob {
  switch (outcome.type) {
    case 'completed':
      return { ...succeeded(job, outcome.result), status: 'completed', finishedAt: at };
    case 'repeat':
      return {
        ...without(succeeded(job, outcome.result), 'progress'),
        status: 'pending',
        nextRunAt: outcome.nextRunAt,
        failCount: 0,
      };
    case 'retry': {
      const { nextRunAt, failCount, reason } = outcome;
      return { ...job, status: 'pending', nextRunAt, failCount, failReason: reason };
    }
    case 'failed': {
      const { failCount, reason } = outcome;
      return { ...job, status: 'failed', failCount, failReason: reason, finishedAt: at };
    }
    case 'cancelled': {
      const reason = outcome.reason === undefined ? {} : { failReason: outcome.reason };
      return { ...job, ...reason, status: 'cancelled', finishedAt: at };
    }
    case 'snoozed':
      return { ...job, status: 'pending', nextRunAt: outcome.nextRunAt };
  }
}

function succeeded(job: MemoryJob, result: unknown): MemoryJob {
  const bare = without(job, 'failReason', 'result');
  return result === undefined ? bare : { ...bare, result };
}
