import { InvalidJobIdentifierError } from '../errors/input-errors.js';
import { describeValue } from './describe-value.js';

const MAX_NAME_LENGTH = 255;
const MAX_UNIQUE_KEY_LENGTH = 1_024;

/**
 * Accepts a job name: not empty, no white space, no control characters, at most 255 characters.
 *
 * @throws InvalidJobIdentifierError
 */
export function validateJobName(name: string): void {
  if (typeof name !== 'string') refuse('name', name, 'Job name must be a string');
  if (name === '') refuse('name', name, 'Job name must not be empty');
  if (name.length > MAX_NAME_LENGTH) {
    refuse('name', name, `Job name must have at most ${MAX_NAME_LENGTH} characters`);
  }
  if (/\s/u.test(name)) refuse('name', name, 'Job name must not contain white space');
  if (/\p{Cc}/u.test(name)) refuse('name', name, 'Job name must not contain control characters');
}

/**
 * Accepts a unique key: not blank, no control characters, at most 1,024 characters.
 *
 * @throws InvalidJobIdentifierError
 */
export function validateUniqueKey(key: string): void {
  if (typeof key !== 'string') refuse('uniqueKey', key, 'Unique key must be a string');
  if (key.trim() === '') refuse('uniqueKey', key, 'Unique key must not be blank');
  if (key.length > MAX_UNIQUE_KEY_LENGTH) {
    refuse('uniqueKey', key, `Unique key must have at most ${MAX_UNIQUE_KEY_LENGTH} characters`);
  }
  if (/\p{Cc}/u.test(key)) refuse('uniqueKey', key, 'Unique key must not contain control characters');
}

function refuse(field: 'name' | 'uniqueKey', value: unknown, rule: string): never {
  throw new InvalidJobIdentifierError(
    field,
    typeof value === 'string' ? value : describeValue(value),
    `${rule}: ${describeValue(value)}`,
  );
}
