import { InvalidPayloadError } from '../../errors/input-errors.js';
import { validateJobName } from '../../job/identifiers.js';
import { checkPayload } from '../../job/payload.js';
import { checkAttempts, checkChoice } from '../../options/checks.js';
import type { ResolvedOptions } from '../../options/resolved-options.js';
import type { NewJob } from '../../store/insert-types.js';
import type { JobStore } from '../../store/port.js';
import type { Misfire, StoredTemplate } from '../../store/recurring-types.js';

/** What a template is checked against. */
export interface TemplateRules {
  readonly store: Pick<JobStore, 'payload'>;
  readonly options: Pick<ResolvedOptions, 'maxPayloadSize'>;
}

/** The words that `misfire` takes. */
export const MISFIRES: readonly Misfire[] = ['once', 'skip', 'all'];

/**
 * Accepts a template that somebody may have written by hand; answers the room that its payload takes at most.
 *
 * @throws a typed error that says what is wrong with it
 */
export function checkStoredTemplate(template: StoredTemplate, { store, options }: TemplateRules): number {
  const { name, data, maxRetries, misfire, unreadable } = template;
  if (unreadable !== undefined) throw new InvalidPayloadError(unreadable, [{ message: unreadable }]);
  validateJobName(name);
  checkChoice(misfire, 'misfire', MISFIRES);
  if (maxRetries !== undefined) checkAttempts(maxRetries, 'maxRetries');
  return checkPayload(data, store.payload, options.maxPayloadSize, 'payload');
}

/** The job of a template for a time. */
export function buildOccurrence(template: StoredTemplate, at: Date, now: Date): NewJob {
  const { id, name, data, maxRetries } = template;
  return {
    name,
    data,
    status: 'pending',
    nextRunAt: at,
    createdAt: now,
    ...(maxRetries !== undefined && { maxRetries: Math.max(1, maxRetries) }),
    recurringId: id,
  };
}

/** What names the job of a template for a time, whoever makes it. Ids of templates hold no control characters. */
export function occurrenceIdentity({ id }: StoredTemplate, at: Date): string {
  return `recurring\n${id}\n${at.toISOString()}`;
}
