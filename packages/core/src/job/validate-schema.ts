import { InvalidPayloadError, type PayloadIssue } from '../errors/input-errors.js';
import { dataPath } from './data-path.js';
import type { StandardSchemaIssue, StandardSchemaV1 } from './standard-schema.js';

/** Issues that a message spells out; all of them are in the error's `issues`. */
const MAX_SPELLED_OUT = 5;

/**
 * Checks a payload against its schema and answers the schema's output.
 *
 * A job stores what was given to `enqueue`, and its handler gets the output of the check before the run. So a
 * transformation is applied once for each run, and never to its own output.
 *
 * @throws InvalidPayloadError listing the issues. What the schema itself throws is passed on: it may be a
 * failure that passes, such as a lookup that timed out.
 */
export async function validateSchema(schema: StandardSchemaV1, data: unknown): Promise<unknown> {
  const result = await schema['~standard'].validate(data);
  if (result.issues === undefined) return result.value;
  const issues = result.issues.map(toIssue);
  throw new InvalidPayloadError(`The payload does not match its schema: ${summary(issues)}`, issues);
}

function toIssue({ message, path }: StandardSchemaIssue): PayloadIssue {
  const keys = path?.map((segment) => (typeof segment === 'object' ? segment.key : segment)) ?? [];
  return { message, path: dataPath('data', keys) };
}

function summary(issues: readonly PayloadIssue[]): string {
  const spelledOut = issues.slice(0, MAX_SPELLED_OUT).map(({ message, path }) => `${path}: ${message}`);
  const more = issues.length - spelledOut.length;
  return spelledOut.join('; ') + (more > 0 ? `; and ${more} more` : '');
}
