import { isCancelRun, isPermanent, isRetryAfter } from '../../errors/steering.js';
import { getNextCronDate } from '../../job/cron.js';
import { checkDate, LATEST_DATE } from '../../job/dates.js';
import { checkPayload } from '../../job/payload.js';
import { failReasonOf, shortReason, toError } from '../../job/thrown.js';
import type { Outcome } from '../../store/settle-types.js';
import type { EngineParts } from '../engine-types.js';
import type { HandlerResult } from './invoke.js';
import { retryDelay } from './retry-delay.js';
import type { Run } from './run.js';

/** An outcome, and the error behind it where it is a failure. */
export interface Judgement {
  readonly outcome: Outcome;
  readonly error?: Error;
}

type Ended = Exclude<HandlerResult, { type: 'taken' }>;

/** Decides what becomes of a job. Pure but for the clock. */
export function judge(run: Run, result: Ended, parts: EngineParts): Judgement {
  if (result.type === 'refused') return finalFailure(run, result.error, parts);
  if (result.type === 'thrown') return judgeError(run, result.error, parts);
  try {
    return { outcome: success(run, result.value, parts) };
  } catch (thrown) {
    // The result cannot be stored, or the cron text is no schedule: trying again would not help.
    return finalFailure(run, toError(thrown), parts);
  }
}

function success(run: Run, value: unknown, parts: EngineParts): Outcome {
  if (value !== undefined) checkPayload(value, parts.store.payload, parts.options.maxPayloadSize, 'result');
  const result = value === undefined ? {} : { result: value };
  const nextRunAt = nextOccurrence(run, parts);
  return nextRunAt === undefined
    ? { type: 'completed', ...result }
    : { type: 'repeat', nextRunAt, ...result };
}

function judgeError(run: Run, error: Error, parts: EngineParts): Judgement {
  const asked = askedFor(error, parts);
  if (asked !== undefined) return { outcome: asked };
  // This attempt failed as well, so as many have failed as were made.
  const failCount = run.attempt;
  if (failCount >= allowedAttempts(run, parts) || isPermanent(error)) {
    return finalFailure(run, error, parts);
  }
  const due = parts.clock.millis() + retryDelay(run, failCount, error, parts);
  const nextRunAt = new Date(Math.min(due, LATEST_DATE));
  return { outcome: { type: 'retry', nextRunAt, failCount, reason: failReasonOf(error) }, error };
}

/**
 * What a handler asks for by what it threw. Undefined where that is nothing, or cannot be understood: what looks like
 * one of our errors may be anything, and is then a failure like others.
 */
function askedFor(error: Error, parts: EngineParts): Outcome | undefined {
  try {
    if (isCancelRun(error)) {
      const { reason } = error;
      return { type: 'cancelled', ...(typeof reason === 'string' ? { reason: shortReason(reason) } : {}) };
    }
    if (!isRetryAfter(error)) return undefined;
    return { type: 'snoozed', nextRunAt: checkDate(error.until(parts.clock.now()), 'RetryAfter') };
  } catch {
    return undefined;
  }
}

function finalFailure(run: Run, error: Error, parts: EngineParts): Judgement {
  const failed = { type: 'failed', failCount: run.attempt, reason: failReasonOf(error) } as const;
  try {
    const nextRunAt = nextOccurrence(run, parts);
    return { outcome: nextRunAt === undefined ? failed : { ...failed, nextRunAt }, error };
  } catch {
    // A series whose cron text is no schedule has no next time; the failure itself says so to its listeners.
    return { outcome: failed, error };
  }
}

function nextOccurrence({ job }: Run, parts: EngineParts): Date | undefined {
  if (job.repeatInterval === undefined || job.repeatInterval === null) return undefined;
  // Not before the occurrence that has just run: a clock that went back a little must not fire it twice.
  const from = Math.max(parts.clock.millis(), job.nextRunAt?.getTime() ?? 0);
  return getNextCronDate(job.repeatInterval, new Date(from), job.timezone ?? parts.options.timezone);
}

function allowedAttempts({ job, worker }: Run, { options }: EngineParts): number {
  return job.maxRetries ?? worker.definition?.maxRetries ?? worker.options.maxRetries ?? options.maxRetries;
}
