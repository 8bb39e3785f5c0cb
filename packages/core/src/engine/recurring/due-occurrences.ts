import { getNextTemplateDate } from '../../job/cron.js';
import type { StoredTemplate } from '../../store/recurring-types.js';

/** Times older than this, in milliseconds, were missed; younger ones are only a little late. */
const GRACE_MS = 10_000;
/** Most missed times for which `misfire: 'all'` makes a job; the latest count. */
const MOST_MISSED = 1_000;
/** How far back the first look for missed times goes, in milliseconds; each further one goes four times as far. */
const FIRST_SPAN_MS = 60_000;

/** What a template calls for. */
export interface DueOccurrences {
  /** The times for which it makes a job each, earliest first. */
  readonly times: readonly Date[];
  /** The time after them. */
  readonly next: Date;
}

/** What decides about the times of a template. */
export type Timing = Pick<
  StoredTemplate,
  'cron' | 'timezone' | 'misfire' | 'nextExecution' | 'planned' | 'enabled'
>;

/** Whether the next time was computed from the cron text and zone as they are now. */
export function isPlanned({ planned, cron, timezone }: Timing): boolean {
  return planned?.cron === cron && planned.timezone === timezone;
}

/**
 * Which jobs a template makes now. A process that hung, or was killed, while others were a little slow must not cost a
 * time: those within the grace period fire one by one. What is older was missed, and `misfire` decides.
 *
 * @throws InvalidCronError | InvalidOptionError where somebody wrote a cron text or a zone that cannot be used
 */
export function dueOccurrences(template: Timing, now: Date): DueOccurrences {
  const { cron, timezone, nextExecution: first, planned } = template;
  const upcoming = getNextTemplateDate(cron, now, timezone);
  // One that others wrote says when to begin. A schedule that was changed by hand begins now.
  const isMeant = planned === undefined || isPlanned(template);
  if (first === undefined || !isMeant) return { times: [], next: upcoming };
  if (first > now) return { times: [], next: first };
  const graceBegins = now.getTime() - GRACE_MS;
  const late = timesBetween(template, first, graceBegins - 1, now.getTime());
  const missed = missedTimes(template, first, graceBegins - 1, late.length > 0);
  return { times: [...missed, ...late].map((time) => new Date(time)), next: upcoming };
}

function missedTimes(template: Timing, first: Date, until: number, isFollowed: boolean): number[] {
  switch (template.misfire) {
    case 'skip':
      return [];
    case 'all':
      return latestTimes(template, first, until, MOST_MISSED);
    default:
      // One job for all of them: a time within the grace period makes it anyway.
      return isFollowed ? [] : latestTimes(template, first, until, 1);
  }
}

/** The latest times up to `until`. Found from its end, since a template may have been silent for years. */
function latestTimes(template: Timing, first: Date, until: number, count: number): number[] {
  for (let span = FIRST_SPAN_MS; ; span *= 4) {
    const after = until - span;
    const times = timesBetween(template, first, after, until);
    if (times.length >= count || after < first.getTime()) return times.slice(-count);
  }
}

/** The times from `first` on, of which those later than `after` and up to `until`. */
function timesBetween({ cron, timezone }: Timing, first: Date, after: number, until: number): number[] {
  const times: number[] = [];
  let time = first.getTime();
  if (time <= after) time = getNextTemplateDate(cron, new Date(after), timezone).getTime();
  while (time <= until) {
    times.push(time);
    time = getNextTemplateDate(cron, new Date(time), timezone).getTime();
  }
  return times;
}
