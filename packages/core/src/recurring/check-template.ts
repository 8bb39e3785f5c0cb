import { MISFIRES } from '../engine/recurring/build-occurrence.js';
import { InvalidCronError, InvalidOptionError } from '../errors/input-errors.js';
import { checkJobInput, type InputRules, type JobTarget } from '../intake/check-job-input.js';
import { getNextTemplateDate } from '../job/cron.js';
import { checkTimezone } from '../job/timezone.js';
import { checkAttempts, checkChoice, checkFlag, checkKeys, checkText } from '../options/checks.js';
import type { ResolvedOptions } from '../options/resolved-options.js';
import type { TemplateChange } from '../store/recurring-types.js';

const KEYS = ['cron', 'name', 'data', 'timezone', 'maxRetries', 'enabled', 'misfire'] as const;

const MAX_ID_LENGTH = 200;
/** What JobSharp's column takes; the same on every store, so that a template can move from one to another. */
const MAX_CRON_LENGTH = 100;

/** What a caller said about a template, all checked. */
export type CheckedTemplate = Omit<TemplateChange, 'nextExecution' | 'at'>;

/** What a template is checked against. */
export interface TemplateInputRules extends InputRules {
  readonly options: Pick<ResolvedOptions, 'maxPayloadSize' | 'timezone'>;
}

/**
 * Accepts the id of a template.
 *
 * @throws InvalidOptionError
 */
export function checkTemplateId(value: unknown): string {
  const id = checkText(value, 'id', MAX_ID_LENGTH);
  // Some databases would take it for the id without the blanks.
  if (id === id.trim()) return id;
  throw new InvalidOptionError('id', 'Option "id" must not begin or end with white space');
}

/** Checks everything about a template, before anything is written. */
export async function checkTemplate(
  rules: TemplateInputRules,
  id: unknown,
  options: unknown,
  now: Date,
): Promise<CheckedTemplate> {
  const checkedId = checkTemplateId(id);
  const given = checkKeys(options ?? null, KEYS, 'recurring options');
  const timezone = given.timezone === undefined ? rules.options.timezone : checkTimezone(given.timezone);
  const cron = checkCron(given.cron, timezone, now);
  const input = await checkJobInput(rules, given.name as JobTarget, given.data, undefined, 'enqueue');
  const maxRetries =
    given.maxRetries === undefined
      ? input.definition?.maxRetries
      : checkAttempts(given.maxRetries, 'maxRetries');
  return {
    id: checkedId,
    cron,
    timezone,
    name: input.name,
    data: input.data,
    ...(maxRetries !== undefined && { maxRetries }),
    misfire: given.misfire === undefined ? 'once' : checkChoice(given.misfire, 'misfire', MISFIRES),
    ...(given.enabled !== undefined && { enabled: checkFlag(given.enabled, 'enabled') }),
  };
}

/** It must be one that fires again: a template without a next time would never be looked at. */
function checkCron(value: unknown, timezone: string, now: Date): string {
  const cron = value as string;
  getNextTemplateDate(cron, now, timezone);
  if (cron.length <= MAX_CRON_LENGTH) return cron;
  throw new InvalidCronError(
    cron,
    `Invalid cron expression "${cron}": a template takes at most ${MAX_CRON_LENGTH} characters. Split it into several templates`,
  );
}
