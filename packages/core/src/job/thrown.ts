import { types } from 'node:util';

const MAX_REASON_LENGTH = 8_192;
const MAX_STACK_LENGTH = 16_384;

/** Makes an Error of whatever a handler threw; an Error stays as it is. Never throws. */
export function toError(thrown: unknown): Error {
  if (isError(thrown)) return thrown;
  const error = new Error(textOf(thrown));
  // The value itself is kept, for listeners who know what it is.
  error.cause = thrown;
  return error;
}

/** What is stored as a job's `failReason`: the message, never empty, shortened where it is very long. */
export function failReasonOf(error: Error): string {
  const message = read(error, 'message');
  if (message !== undefined && message !== '') return shortReason(message);
  const name = read(error, 'name');
  return shortReason(name === undefined || name === '' ? 'Error' : name);
}

/** A reason as it is stored, shortened where it is very long. */
export function shortReason(text: string): string {
  return shorten(text, MAX_REASON_LENGTH);
}

/** What is stored of an error's stack, if it has one. */
export function stackOf(error: Error): string | undefined {
  const stack = read(error, 'stack');
  return stack === undefined || stack === '' ? undefined : shorten(stack, MAX_STACK_LENGTH);
}

function isError(value: unknown): value is Error {
  try {
    // isNativeError also knows errors of other realms, instanceof also those that only inherit from Error.
    return types.isNativeError(value) || value instanceof Error;
  } catch {
    return false;
  }
}

/** The text of a value that is no error; objects with a message, as some libraries throw them, have one. */
function textOf(value: unknown): string {
  if (typeof value !== 'object' || value === null) return primitiveText(value);
  const message = read(value, 'message');
  if (message !== undefined && message !== '') return message;
  const text = attempt(() => String(value));
  if (text !== undefined && !text.startsWith('[object ')) return text;
  return attempt(() => JSON.stringify(value)) ?? text ?? 'An object that cannot be shown was thrown';
}

function primitiveText(value: unknown): string {
  return attempt(() => String(value)) ?? 'A function that cannot be shown was thrown';
}

/** Reads a text property of an object that may be hostile. */
function read(value: object, key: string): string | undefined {
  return attempt(() => (value as Record<string, unknown>)[key]);
}

/** The text that a function answers; undefined where it throws or answers anything else. */
function attempt(get: () => unknown): string | undefined {
  try {
    const text = get();
    return typeof text === 'string' ? text : undefined;
  } catch {
    return undefined;
  }
}

function shorten(text: string, maxLength: number): string {
  if (text.length <= maxLength) return text;
  const note = `… (shortened from ${text.length} characters)`;
  const kept = text.slice(0, maxLength - note.length);
  // Half of a surrogate pair is no character, and some databases refuse it.
  return (/[\uD800-\uDBFF]$/.test(kept) ? kept.slice(0, -1) : kept) + note;
}
