import { codeOf } from '../driver-codes.js';

/**
 * Classes of errors that are about the values: data exceptions, such as a character that no text may hold; constraints
 * that somebody added; limits of the program.
 */
const REFUSED = /^(22|23|54)/;

/** Whether the same write would be refused again, however often it is tried. */
export function isRefusal(error: unknown): boolean {
  const code = codeOf(error);
  return error instanceof RangeError || (typeof code === 'string' && code.length === 5 && REFUSED.test(code));
}
