import { getNextTemplateDate } from '../job/cron.js';
import type { StoredTemplate, TemplateChange } from '../store/recurring-types.js';
import type { CheckedTemplate } from './check-template.js';

/**
 * What an upsert writes. The next time stays unless the schedule changed: a deployment every few minutes must not keep an
 * hourly template from ever firing.
 */
export function templateChange(
  before: StoredTemplate | undefined,
  wanted: CheckedTemplate,
  now: Date,
): TemplateChange {
  const begins =
    before === undefined ||
    before.cron !== wanted.cron ||
    before.timezone !== wanted.timezone ||
    (wanted.enabled === true && !before.enabled);
  return {
    ...wanted,
    ...(begins && { nextExecution: getNextTemplateDate(wanted.cron, now, wanted.timezone) }),
    at: now,
  };
}

/** Whether a template is as it should be. */
export function isSameTemplate(before: StoredTemplate, wanted: CheckedTemplate): boolean {
  return (
    before.unreadable === undefined &&
    before.cron === wanted.cron &&
    before.timezone === wanted.timezone &&
    before.name === wanted.name &&
    before.maxRetries === wanted.maxRetries &&
    before.misfire === wanted.misfire &&
    (wanted.enabled === undefined || before.enabled === wanted.enabled) &&
    inOneForm(before.data) === inOneForm(wanted.data)
  );
}

/**
 * A payload as text that is the same for what was given and for what a store made of it: in one order of keys, with
 * times and ids as text, as they are in JSON.
 */
function inOneForm(value: unknown): string {
  return JSON.stringify(value, function (this: Record<string, unknown>, key, inner: unknown) {
    // What it was before its own toJSON, which for a Buffer is a list of numbers.
    const original = this[key];
    if (original instanceof Uint8Array) return Buffer.from(original).toString('base64');
    if (typeof inner === 'bigint') return String(inner);
    if (typeof inner !== 'object' || inner === null || Array.isArray(inner)) return inner;
    return Object.fromEntries(Object.entries(inner).sort(([a], [b]) => (a < b ? -1 : 1)));
  });
}
