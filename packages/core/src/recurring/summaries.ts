import { getNextTemplateDate } from '../job/cron.js';
import type { StoredJob } from '../store/query-types.js';
import type { StoredTemplate } from '../store/recurring-types.js';
import type { RecurringSummary, RecurringTemplate } from './recurring-types.js';

/** Times that a summary tells in advance. */
const NEXT_TIMES = 5;

/** What a caller gets to see of a template. */
export function toTemplate(stored: StoredTemplate): RecurringTemplate {
  const { lastJobId: _, planned: _planned, unreadable: _unreadable, ...template } = stored;
  return template;
}

/** Templates with their next times and their latest jobs, as far as these still exist. */
export function summarize<Id>(
  templates: readonly StoredTemplate<Id>[],
  jobs: readonly StoredJob<Id>[],
  now: Date,
): RecurringSummary<Id>[] {
  const byId = new Map(jobs.map((job) => [String(job._id), job]));
  return templates.map((template) => {
    const job = byId.get(String(template.lastJobId));
    return { ...toTemplate(template), nextTimes: nextTimes(template, now), ...(job && lastJob(job)) };
  });
}

function lastJob<Id>({ _id, status, failReason }: StoredJob<Id>): Pick<RecurringSummary<Id>, 'lastJob'> {
  return { lastJob: { id: _id, status, ...(failReason !== undefined && { failReason }) } };
}

function nextTimes({ cron, timezone, enabled }: StoredTemplate, now: Date): Date[] {
  const times: Date[] = [];
  if (!enabled) return times;
  try {
    for (let time = now; times.length < NEXT_TIMES; ) {
      time = getNextTemplateDate(cron, time, timezone);
      times.push(time);
    }
  } catch {
    // What cannot fire has no next times; why, is told by `recurring:error`.
  }
  return times;
}
