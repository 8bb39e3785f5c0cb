import type { Emit } from '../engine/emit.js';
import type { Engine } from '../engine/engine.js';
import { buildOccurrence, checkStoredTemplate } from '../engine/recurring/build-occurrence.js';
import type { ServerClock } from '../engine/server-clock.js';
import { getNextTemplateDate } from '../job/cron.js';
import type { PersistedJob } from '../job/job.js';
import type { OutsideStore } from '../lifecycle/surface-failures.js';
import type { ResolvedOptions } from '../options/resolved-options.js';
import { checkTemplate, checkTemplateId } from './check-template.js';
import type {
  DefinedRecurringOptions,
  RecurringOptions,
  RecurringSummary,
  RecurringTemplate,
} from './recurring-types.js';
import { summarize, toTemplate } from './summaries.js';
import { isSameTemplate, templateChange } from './template-change.js';

/** What the calls about templates stand on. */
export interface RecurringParts<Id> {
  readonly store: OutsideStore<Id>;
  readonly clock: ServerClock;
  readonly options: ResolvedOptions;
  readonly engine: Pick<Engine, 'wake' | 'lookAtTemplates'>;
  readonly emit: Emit;
  /** Throws until the instance can be used. */
  requireInitialized(): void;
}

/**
 * Templates that make a new job each time their cron text says so; `monque.recurring`. Each job is one of its own, with
 * its own attempts, result and log, and may run beside the one before. Any process that was started fires them.
 *
 * @example
 * ```ts
 * import { memory, Monque } from '@monque/core';
 *
 * const monque = new Monque(memory());
 * await monque.initialize();
 * await monque.recurring.upsert('nightly-import', {
 *   cron: '30 2 * * *',
 *   timezone: 'Europe/Berlin',
 *   name: 'import-orders',
 *   data: { source: 'warehouse' },
 * });
 * ```
 */
export class Recurring<Id> {
  readonly #parts: RecurringParts<Id>;

  /** @internal */
  constructor(parts: RecurringParts<Id>) {
    this.#parts = parts;
  }

  /**
   * Stores a template, or changes the one of that id; answers it as it is now. One that says the same already is left
   * as it is. Another cron text or time zone counts from now on; anything else leaves the next time as it was.
   *
   * @param id - At most 200 characters, no control characters, no white space around it.
   * @throws InvalidOptionError | InvalidCronError | InvalidJobIdentifierError | InvalidPayloadError |
   * PayloadTooLargeError before anything is written
   */
  upsert<Input>(
    id: string,
    options: DefinedRecurringOptions<Input> & { name: { readonly name: string } },
  ): Promise<RecurringTemplate<Input>>;
  upsert<T = unknown>(
    id: string,
    options: RecurringOptions & { name: string; data?: T },
  ): Promise<RecurringTemplate<T>>;
  async upsert(id: string, options: RecurringOptions): Promise<RecurringTemplate> {
    const { store, clock, engine } = this.#ready();
    const wanted = await checkTemplate(this.#parts, id, options, clock.now());
    const before = await store.recurring.get(wanted.id);
    if (before !== undefined && isSameTemplate(before, wanted)) return toTemplate(before);
    const stored = await store.recurring.put(templateChange(before, wanted, clock.now()));
    engine.lookAtTemplates();
    return toTemplate(stored);
  }

  /** Reads one template; null where there is none. */
  async get<T = unknown>(id: string): Promise<RecurringTemplate<T> | null> {
    const template = await this.#ready().store.recurring.get(checkTemplateId(id));
    return template === undefined ? null : (toTemplate(template) as RecurringTemplate<T>);
  }

  /** Lists all templates in the order of their ids, each with its next times and the end of its latest job. */
  async list(): Promise<RecurringSummary<Id>[]> {
    const { store, clock } = this.#ready();
    const templates = await store.recurring.list();
    const jobs = await store.get(templates.flatMap(({ lastJobId }) => lastJobId ?? []));
    return summarize(templates, jobs, clock.now());
  }

  /** Keeps a template from firing, within one poll; answers it, or null where there is none. */
  async pause(id: string): Promise<RecurringTemplate | null> {
    const { store, clock } = this.#ready();
    const checked = checkTemplateId(id);
    const paused = await store.recurring.setEnabled(checked, false, clock.now());
    return paused === undefined ? this.get(checked) : toTemplate(paused);
  }

  /** Lets a paused template fire again, at its next time from now; answers it, or null where there is none. */
  async resume(id: string): Promise<RecurringTemplate | null> {
    const { store, clock, engine } = this.#ready();
    const template = await store.recurring.get(checkTemplateId(id));
    if (template === undefined) return null;
    const now = clock.now();
    const next = getNextTemplateDate(template.cron, now, template.timezone);
    const resumed = await store.recurring.setEnabled(template.id, next, now);
    if (resumed === undefined) return this.get(template.id);
    engine.lookAtTemplates();
    return toTemplate(resumed);
  }

  /**
   * Makes a job of a template now, paused or not, and leaves its schedule as it is; answers the job, or null where there
   * is no such template.
   */
  async trigger(id: string): Promise<PersistedJob<unknown, Id> | null> {
    const { store, clock, engine, emit } = this.#ready();
    const template = await store.recurring.get(checkTemplateId(id));
    if (template === undefined) return null;
    checkStoredTemplate(template, this.#parts);
    const at = clock.now();
    const [inserted] = await store.insert([{ job: buildOccurrence(template, at, at), onDuplicate: 'keep' }]);
    if (inserted === undefined) throw new RangeError('The store gave no answer for a job');
    const { job } = inserted;
    engine.wake(job.nextRunAt);
    await store.recurring.noteFired(template.id, { at, jobId: job._id });
    emit('recurring:fired', { id: template.id, job, at });
    return job;
  }

  /** Removes a template; the jobs that it made stay. False where there is none. */
  async remove(id: string): Promise<boolean> {
    return this.#ready().store.recurring.remove(checkTemplateId(id));
  }

  #ready(): RecurringParts<Id> {
    this.#parts.requireInitialized();
    return this.#parts;
  }
}
