import { batchLength } from '../../intake/batch-length.js';
import { toError } from '../../job/thrown.js';
import type { Insert } from '../../store/insert-types.js';
import type { StoredJob } from '../../store/query-types.js';
import type { StoredTemplate } from '../../store/recurring-types.js';
import type { EngineParts } from '../engine-types.js';
import { buildOccurrence, checkStoredTemplate, occurrenceIdentity } from './build-occurrence.js';
import { type DueOccurrences, dueOccurrences, isPlanned } from './due-occurrences.js';

/** Templates that are read with one query. */
const PAGE = 200;
/** Most jobs of one insert. */
const MAX_JOBS = 1_000;

/** A template that calls for a step, with or without jobs. */
interface Due extends DueOccurrences {
  readonly template: StoredTemplate;
  /** Room that the payload of each of its jobs takes at most. */
  readonly bytes: number;
}

/** A job that is about to be made. */
interface Occurrence {
  readonly template: StoredTemplate;
  readonly at: Date;
  readonly insert: Insert;
  readonly bytes: number;
}

/**
 * Makes the jobs of templates whose time has come, and moves the templates on.
 *
 * Two writes, in this order: the jobs, then the template. A crash between them leaves a template that is still due,
 * and whoever looks next makes the same jobs, which are there already since each has an identity, and the step. So it
 * takes no leader: any number of processes may fire the same template at the same time.
 */
export class TemplateFiring {
  readonly #parts: EngineParts;
  readonly #made: (job: StoredJob) => void;
  /** What was told about templates that cannot fire, by their ids. */
  #told = new Map<string, string>();

  /** @param made - Called for each job that this process has made. */
  constructor(parts: EngineParts, made: (job: StoredJob) => void) {
    this.#parts = parts;
    this.#made = made;
  }

  /**
   * Fires what is due.
   *
   * @param ahead - How far ahead it looks for the next time, in milliseconds.
   * @returns The next time, in milliseconds since 1970; Infinity where there is none so soon.
   */
  async look(ahead: number): Promise<number> {
    const { store, clock } = this.#parts;
    const broken = new Map<string, string>();
    let next = Number.POSITIVE_INFINITY;
    let after: string | undefined;
    do {
      const until = new Date(clock.millis() + ahead);
      const page = await store.recurring.due({ until, limit: PAGE, ...(after !== undefined && { after }) });
      next = Math.min(next, await this.#firePage(page, broken));
      after = page.length < PAGE ? undefined : page.at(-1)?.id;
    } while (after !== undefined);
    this.#told = broken;
    return next;
  }

  async #firePage(page: readonly StoredTemplate[], broken: Map<string, string>): Promise<number> {
    const now = this.#parts.clock.now();
    const due: Due[] = [];
    let next = Number.POSITIVE_INFINITY;
    for (const template of page) {
      const { nextExecution } = template;
      if (nextExecution !== undefined && nextExecution > now && isPlanned(template)) {
        next = Math.min(next, nextExecution.getTime());
        continue;
      }
      try {
        const bytes = checkStoredTemplate(template, this.#parts);
        const occurrences = dueOccurrences(template, now);
        next = Math.min(next, occurrences.next.getTime());
        due.push({ ...occurrences, template, bytes });
      } catch (thrown) {
        this.#tell(template, toError(thrown), broken);
      }
    }
    if (due.length > 0) await this.#fire(due, now, broken);
    return next;
  }

  /** One template whose jobs the store will never take must not keep the others from firing. */
  async #fire(due: readonly Due[], now: Date, broken: Map<string, string>): Promise<void> {
    try {
      await this.#fireTogether(due, now);
    } catch (thrown) {
      const [first] = due;
      if (first === undefined || !this.#parts.store.isRefusal(thrown)) throw thrown;
      if (due.length === 1) this.#tell(first.template, toError(thrown), broken);
      else for (const one of due) await this.#fire([one], now, broken);
    }
  }

  async #fireTogether(due: readonly Due[], now: Date): Promise<void> {
    const latest = await this.#insert(due.flatMap((one) => occurrencesOf(one, now)));
    // Here a crash may strike: see above.
    await this.#parts.store.recurring.advance(
      due.map(({ template, next }) => {
        const last = latest.get(template.id);
        return { template, next, ...(last && { last }) };
      }),
    );
  }

  /** Stores the jobs; answers the latest of each template. */
  async #insert(occurrences: readonly Occurrence[]): Promise<Map<string, { at: Date; jobId: unknown }>> {
    const { store, emit } = this.#parts;
    const latest = new Map<string, { at: Date; jobId: unknown }>();
    for (let start = 0; start < occurrences.length; ) {
      const batch = occurrences.slice(start, start + batchLength(occurrences, start, MAX_JOBS));
      const inserted = await store.insert(batch.map(({ insert }) => insert));
      for (const [index, { job, outcome }] of inserted.entries()) {
        const made = batch[index];
        if (made === undefined) continue;
        const { template, at } = made;
        latest.set(template.id, { at, jobId: job._id });
        if (outcome !== 'inserted') continue;
        this.#made(job);
        emit('recurring:fired', { id: template.id, job, at });
      }
      start += batch.length;
    }
    return latest;
  }

  /** Says what is wrong with a template, unless that was said and nothing has changed since. */
  #tell({ id, cron, timezone, name }: StoredTemplate, error: Error, broken: Map<string, string>): void {
    const what = JSON.stringify([error.message, cron, timezone, name]);
    broken.set(id, what);
    if (this.#told.get(id) !== what) this.#parts.emit('recurring:error', { id, error });
  }
}

function occurrencesOf({ template, times, bytes }: Due, now: Date): Occurrence[] {
  return times.map((at) => ({
    template,
    at,
    bytes,
    insert: {
      job: buildOccurrence(template, at, now),
      onDuplicate: 'keep',
      identity: occurrenceIdentity(template, at),
    },
  }));
}
