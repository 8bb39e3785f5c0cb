import type {
  DueTemplatesRequest,
  RecurringStore,
  StoredTemplate,
  TemplateChange,
  TemplateStep,
} from '@monque/core';
import { expressionBuilder } from 'kysely';
import type { SqlContext } from '../context.js';
import type { Operation } from '../operation.js';
import {
  advanceTemplate,
  dueTemplates,
  noteTemplateFired,
  putTemplate,
  readTemplate,
  readTemplates,
  removeTemplate,
  setTemplateEnabled,
} from './template-operations.js';

type Template = StoredTemplate<string>;

/** Runs an operation on an open database. */
type Runner = <T>(operation: (context: SqlContext) => Operation<T>) => Promise<T>;

/** Recurring templates in JobSharp's table `RecurringJobs`. */
export class SqlRecurring implements RecurringStore<string> {
  readonly #run: Runner;
  readonly #transact: Runner;

  /** @param transact - The same as one transaction. */
  constructor(run: Runner, transact: Runner) {
    this.#run = run;
    this.#transact = transact;
  }

  async put(change: TemplateChange): Promise<Template> {
    return this.#transact((context) => putTemplate(context, change));
  }

  async get(id: string): Promise<Template | undefined> {
    return this.#run((context) => readTemplate(context, id));
  }

  async list(): Promise<Template[]> {
    const all = await this.#run((context) => readTemplates(context, expressionBuilder().lit(true)));
    // Each database has an order of its own.
    return all.sort((a, b) => (a.id < b.id ? -1 : 1));
  }

  async setEnabled(id: string, resumeAt: Date | false, at: Date): Promise<Template | undefined> {
    return this.#transact((context) => setTemplateEnabled(context, id, resumeAt, at));
  }

  async remove(id: string): Promise<boolean> {
    return this.#run((context) => removeTemplate(context, id));
  }

  async due(request: DueTemplatesRequest): Promise<Template[]> {
    return this.#run((context) => dueTemplates(context, request));
  }

  async advance(steps: readonly TemplateStep<string>[]): Promise<void> {
    if (steps.length === 0) return;
    await this.#transact(function* (context) {
      for (const step of steps) yield* advanceTemplate(context, step);
    });
  }

  async noteFired(id: string, last: { readonly at: Date; readonly jobId: string }): Promise<void> {
    await this.#run((context) => noteTemplateFired(context, id, last));
  }
}
