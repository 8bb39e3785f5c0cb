import { checkEnqueueOptions, type OptionsKind } from '../job/check-enqueue-options.js';
import { isJobDefinition, type JobDefinition } from '../job/definition.js';
import { validateJobName } from '../job/identifiers.js';
import { checkPayload } from '../job/payload.js';
import { validateSchema } from '../job/validate-schema.js';
import type { ResolvedOptions } from '../options/resolved-options.js';
import type { PayloadRules } from '../store/store-options.js';
import type { JobInput } from './build-new-job.js';

/** What callers may name a job by. */
export type JobTarget = string | JobDefinition;

/** What input is checked against. */
export interface InputRules {
  readonly store: { readonly payload: PayloadRules };
  readonly options: Pick<ResolvedOptions, 'maxPayloadSize'>;
}

/** Input that has been checked, and how much room its payload takes at most. */
export interface CheckedInput extends JobInput {
  readonly bytes: number;
}

/** Checks everything about a job that is to be stored, before anything is written. */
export async function checkJobInput(
  rules: InputRules,
  target: JobTarget,
  data: unknown,
  options: unknown,
  kind: OptionsKind,
): Promise<CheckedInput> {
  const definition = isJobDefinition(target) ? target : undefined;
  const name = definition?.name ?? (target as string);
  validateJobName(name);
  const checked = checkEnqueueOptions(options, kind);
  // A document has no undefined; null it is, also for the schema, which sees the stored form before each run.
  const stored = data === undefined ? null : data;
  const bytes = checkPayload(stored, rules.store.payload, rules.options.maxPayloadSize, 'payload');
  if (definition?.schema !== undefined) await validateSchema(definition.schema, stored);
  return { name, data: stored, options: checked, bytes, ...(definition && { definition }) };
}
