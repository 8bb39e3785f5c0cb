import type { JobStore, StoredTemplate, TemplateChange } from '@monque/core';
import { PAST } from './make-jobs.js';

/** A template for every hour, with whatever the test cares about. */
export function newTemplate(id: string, parts: Partial<TemplateChange> = {}): TemplateChange {
  return {
    id,
    cron: '0 * * * *',
    timezone: 'UTC',
    name: 'work',
    data: null,
    misfire: 'once',
    at: PAST,
    ...parts,
  };
}

/** Reads a template that must exist. */
export async function storedTemplate(store: JobStore, id: string): Promise<StoredTemplate> {
  const template = await store.recurring.get(id);
  if (template === undefined) throw new Error(`There is no template ${id}`);
  return template;
}

/** Ids of templates. */
export function templateIds(templates: readonly { readonly id: string }[]): string[] {
  return templates.map(({ id }) => id);
}
