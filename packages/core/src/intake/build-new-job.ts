import type { CheckedEnqueueOptions } from '../job/check-enqueue-options.js';
import type { JobDefinition } from '../job/definition.js';
import type { NewJob } from '../store/insert-types.js';

/** How a job repeats. */
interface Recurrence {
  readonly cron: string;
  /** Zone of the cron text; absent where it is the default of every instance. */
  readonly timezone?: string;
  /** The first time that the cron text gives. */
  readonly firstRunAt: Date;
}

/** Input that has been checked. */
export interface JobInput {
  readonly name: string;
  readonly data: unknown;
  readonly options: CheckedEnqueueOptions;
  readonly definition?: JobDefinition;
  readonly recurrence?: Recurrence;
  /** What the job waits for. */
  readonly links?: JobLinks;
}

/** What ties a job to others, and the status in which it waits for them. */
export type JobLinks = Pick<
  NewJob,
  'status' | 'parentJobId' | 'batchId' | 'awaitsBatchId' | 'continueOn' | 'claimToken'
>;

/** Makes the job that is to be stored. What does not apply is left out: absent means that the key is not there. */
export function buildNewJob(input: JobInput, now: Date): NewJob {
  const { name, data, options, definition, recurrence, links } = input;
  const priority = options.priority ?? definition?.priority ?? 0;
  const maxRetries = options.maxRetries ?? definition?.maxRetries;
  const backoff = options.backoff ?? definition?.backoff;
  const timeout = options.timeout ?? definition?.timeout;
  return {
    name,
    data,
    status: options.hold ? 'created' : 'pending',
    nextRunAt: options.runAt ?? recurrence?.firstRunAt ?? new Date(now.getTime() + (options.delay ?? 0)),
    createdAt: now,
    ...(options.uniqueKey !== undefined && { uniqueKey: options.uniqueKey }),
    ...(recurrence !== undefined && { repeatInterval: recurrence.cron }),
    ...(recurrence?.timezone !== undefined && { timezone: recurrence.timezone }),
    ...(priority !== 0 && { priority }),
    ...(maxRetries !== undefined && { maxRetries }),
    ...(backoff !== undefined && { backoff }),
    ...(timeout !== undefined && { timeout }),
    ...links,
  };
}
