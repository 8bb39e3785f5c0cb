import { getNextCronDate, validateCronExpression } from '../job/cron.js';
import type { StoredJob } from '../store/query-types.js';
import { checkJobInput, type JobTarget } from './check-job-input.js';
import { insertOne } from './enqueue.js';
import type { IntakeParts } from './intake-parts.js';

/** The zone of every instance that says nothing else. */
const DEFAULT_ZONE = 'UTC';

/** Stores a recurring job, due at the next time of its cron text. */
export async function schedule<Id>(
  parts: IntakeParts<Id>,
  cron: string,
  target: JobTarget,
  data: unknown,
  options: unknown,
): Promise<StoredJob<Id>> {
  validateCronExpression(cron);
  const input = await checkJobInput(parts, target, data, options, 'schedule');
  const zone = input.options.timezone ?? parts.options.timezone;
  const firstRunAt = getNextCronDate(cron, parts.clock.now(), zone);
  // The process that runs the job may have another default, so a zone is left out only where nobody named one.
  const isNamed = input.options.timezone !== undefined || zone !== DEFAULT_ZONE;
  const recurrence = { cron, firstRunAt, ...(isNamed && { timezone: zone }) };
  return insertOne(parts, { ...input, recurrence });
}
