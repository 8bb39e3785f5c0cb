import type {
  DueTemplatesRequest,
  RecurringStore,
  StoredTemplate,
  TemplateChange,
  TemplateStep,
} from '../recurring-types.js';
import { copyValue } from './copy-value.js';

type Template = StoredTemplate<string>;

/** Recurring templates in memory. */
export class MemoryRecurring implements RecurringStore<string> {
  readonly #templates = new Map<string, Template>();

  async put({ at, enabled, nextExecution, ...change }: TemplateChange): Promise<Template> {
    const before = this.#templates.get(change.id);
    const { maxRetries: _, ...kept } = before ?? { enabled: true, createdAt: at };
    const { cron, timezone } = change;
    const next = nextExecution === undefined ? {} : { nextExecution, planned: { cron, timezone } };
    return this.#save({
      ...kept,
      ...change,
      ...next,
      ...(enabled !== undefined && { enabled }),
      updatedAt: at,
    });
  }

  async get(id: string): Promise<Template | undefined> {
    return copyValue(this.#templates.get(id));
  }

  async list(): Promise<Template[]> {
    const all = [...this.#templates.values()].sort((a, b) => (a.id < b.id ? -1 : 1));
    return copyValue(all);
  }

  async setEnabled(id: string, resumeAt: Date | false, at: Date): Promise<Template | undefined> {
    const template = this.#templates.get(id);
    if (template === undefined || template.enabled === (resumeAt !== false)) return undefined;
    const next = resumeAt === false ? { enabled: false } : { enabled: true, nextExecution: resumeAt };
    return this.#save({ ...template, ...next, updatedAt: at });
  }

  async remove(id: string): Promise<boolean> {
    return this.#templates.delete(id);
  }

  async due({ until, limit, after = '' }: DueTemplatesRequest): Promise<Template[]> {
    const due = (await this.list()).filter(
      (template) => template.enabled && template.id > after && needsLook(template, until),
    );
    return due.slice(0, limit);
  }

  async advance(steps: readonly TemplateStep<string>[]): Promise<void> {
    for (const { template, next, last } of steps) {
      const stored = this.#templates.get(template.id);
      if (stored === undefined || !isUnchanged(stored, template)) continue;
      const { cron, timezone } = stored;
      this.#save({
        ...stored,
        nextExecution: next,
        planned: { cron, timezone },
        ...(last && { lastExecution: last.at, lastJobId: last.jobId }),
      });
    }
  }

  async noteFired(id: string, { at, jobId }: { at: Date; jobId: string }): Promise<void> {
    const template = this.#templates.get(id);
    if (template !== undefined) this.#save({ ...template, lastExecution: at, lastJobId: jobId });
  }

  /**
   * Writes fields of a template as they are, the way another program would write them into a database.
   *
   * @internal
   */
  write(id: string, fields: { readonly [Field in keyof Template]?: Template[Field] | undefined }): void {
    const at = new Date(0);
    const bare = { cron: '', timezone: 'UTC', name: '', data: null, misfire: 'once', enabled: true } as const;
    const before = this.#templates.get(id) ?? { ...bare, createdAt: at, updatedAt: at };
    this.#save({ ...before, ...fields, id } as Template);
  }

  #save(template: Template): Template {
    this.#templates.set(template.id, copyValue(template));
    return copyValue(template);
  }
}

function needsLook({ nextExecution, planned, cron, timezone }: Template, until: Date): boolean {
  return (
    nextExecution === undefined ||
    nextExecution <= until ||
    planned?.cron !== cron ||
    planned.timezone !== timezone
  );
}

function isUnchanged(stored: Template, read: Template): boolean {
  return (
    stored.nextExecution?.getTime() === read.nextExecution?.getTime() &&
    stored.cron === read.cron &&
    stored.timezone === read.timezone
  );
}
