import type { Outcome, Settlement, StoredJob } from '@monque/core';
import { toJson } from '../rows/job-row.js';
import { waitingState } from '../rows/job-states.js';
import { type JobRow, JobState } from '../schema/columns.js';

/** What is written for a run; the types differ in the columns that they write. */
export type OutcomeType = 'completed' | 'repeat' | 'retry' | 'failed' | 'cancelled' | 'snoozed';

/** One run's own values. Those that its type does not write are null. */
export interface OutcomeRow {
  readonly id: string;
  readonly token: string;
  readonly owner: string;
  readonly startedAt: Date;
  readonly state: number;
  readonly nextRunAt: Date | null;
  readonly failCount: number;
  readonly reason: string | null;
  readonly result: string | null;
}

/** A value of an {@link OutcomeRow}, or the time of the batch. */
export type OutcomeValue = 'at' | 'startedAt' | 'state' | 'nextRunAt' | 'failCount' | 'reason' | 'result';

type Assignments = Readonly<Partial<Record<keyof JobRow, OutcomeValue | 'null' | 'reason or kept'>>>;

/** What every outcome writes; the claim ends with it. */
const COMMON: Assignments = {
  State: 'state',
  ExecutedAt: 'startedAt',
  UpdatedAt: 'at',
  LockedAt: 'null',
  ClaimedBy: 'null',
  LastHeartbeat: 'null',
  HeartbeatInterval: 'null',
  ClaimToken: 'null',
};

/** Which columns each type writes beside the common ones, and with what. */
const OWN: Readonly<Record<OutcomeType, Assignments>> = {
  completed: { FinishedAt: 'at', ErrorMessage: 'null', Result: 'result' },
  repeat: {
    ScheduledAt: 'nextRunAt',
    RetryCount: 'failCount',
    ErrorMessage: 'null',
    Result: 'result',
    Progress: 'null',
  },
  retry: { ScheduledAt: 'nextRunAt', RetryCount: 'failCount', ErrorMessage: 'reason' },
  failed: { FinishedAt: 'at', RetryCount: 'failCount', ErrorMessage: 'reason' },
  cancelled: { FinishedAt: 'at', ErrorMessage: 'reason or kept' },
  snoozed: { ScheduledAt: 'nextRunAt' },
};

/**
 * The assignments of an outcome as text.
 *
 * @param quote - Writes the name of a column.
 * @param value - Writes a value of the row.
 */
export function assignmentsOf(
  type: OutcomeType,
  quote: (column: string) => string,
  value: (value: OutcomeValue) => string,
): string {
  return Object.entries({ ...COMMON, ...OWN[type] })
    .map(([column, source]) => {
      if (source === 'null') return `${quote(column)} = NULL`;
      if (source === 'reason or kept')
        return `${quote(column)} = COALESCE(${value('reason')}, ${quote(column)})`;
      return `${quote(column)} = ${value(source)}`;
    })
    .join(', ');
}

/** What a run's outcome is written as. A series whose occurrence failed for good goes on, like one that succeeded. */
export function outcomeTypeOf(outcome: Outcome): OutcomeType {
  return outcome.type === 'failed' && outcome.nextRunAt !== undefined ? 'repeat' : outcome.type;
}

/** The values of a run's outcome. */
export function outcomeRowOf({ job, token, startedAt, outcome }: Settlement<string>): OutcomeRow {
  return {
    id: job._id,
    token,
    owner: job.claimedBy ?? '',
    startedAt,
    state: stateAfter(job, outcome),
    nextRunAt: 'nextRunAt' in outcome && outcome.nextRunAt !== undefined ? outcome.nextRunAt : null,
    failCount: failCountAfter(job, outcome),
    reason: 'reason' in outcome && outcome.reason !== undefined ? outcome.reason : null,
    result: 'result' in outcome && outcome.result !== undefined ? toJson(outcome.result) : null,
  };
}

function stateAfter({ failCount }: StoredJob<string>, outcome: Outcome): number {
  switch (outcomeTypeOf(outcome)) {
    case 'completed':
      return JobState.succeeded;
    case 'repeat':
      return JobState.scheduled;
    case 'failed':
      return JobState.abandoned;
    case 'cancelled':
      return JobState.cancelled;
    case 'retry':
    case 'snoozed':
      return waitingState('failCount' in outcome ? outcome.failCount : failCount);
  }
}

function failCountAfter({ failCount }: StoredJob<string>, outcome: Outcome): number {
  if (outcomeTypeOf(outcome) === 'repeat') return 0;
  return 'failCount' in outcome ? outcome.failCount : failCount;
}
