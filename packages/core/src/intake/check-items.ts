import { InvalidOptionError } from '../errors/input-errors.js';
import { MonqueError } from '../errors/monque-error.js';
import { describeValue } from '../job/describe-value.js';
import { checkKeys } from '../options/checks.js';
import { type CheckedInput, checkJobInput, type InputRules, type JobTarget } from './check-job-input.js';

/** Checks the items of a call that stores many jobs, all of them before any is written. An error names the index. */
export async function checkItems(rules: InputRules, items: unknown): Promise<CheckedInput[]> {
  if (!Array.isArray(items)) {
    throw new InvalidOptionError('items', `The items must be an array, not ${describeValue(items)}`);
  }
  const inputs: CheckedInput[] = [];
  for (const [index, item] of items.entries()) {
    try {
      const { name, data, options } = checkKeys(item ?? null, ['name', 'data', 'options'], 'item');
      const input = await checkJobInput(rules, name as JobTarget, data, options, 'enqueue');
      checkSameSession(input, inputs[0] ?? input);
      inputs.push(input);
    } catch (error) {
      throw naming(index, error);
    }
  }
  return inputs;
}

/** Only the store can tell whether a session is one: with a single one, it does so before anything is written. */
function checkSameSession({ options }: CheckedInput, first: CheckedInput): void {
  if (options.session === first.options.session) return;
  throw new InvalidOptionError(
    'session',
    'All items of one call must have the same "session", or none. Make one call for each',
  );
}

/** Says which item an error is about, and leaves its class and its details as they are. */
export function naming(index: number, error: unknown): unknown {
  // What a schema of the user's throws by itself is not ours to change.
  if (error instanceof MonqueError) error.message = `Item ${index}: ${error.message}`;
  return error;
}
