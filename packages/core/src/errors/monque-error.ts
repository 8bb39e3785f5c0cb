/** What may accompany a message. */
export interface MonqueErrorOptions {
  /** The error that led to this one. */
  cause?: unknown;
}

/**
 * Base of every error that Monque throws. Catch it to tell them from others, and compare `code` to tell them
 * apart: unlike `instanceof`, it also works where two copies of the package are loaded.
 *
 * @example
 * ```ts
 * import { MonqueError } from '@monque/core';
 *
 * try {
 *   throw new MonqueError('Something went wrong');
 * } catch (error) {
 *   if (error instanceof MonqueError) console.error(error.code, error.message);
 * }
 * ```
 */
export class MonqueError extends Error {
  static {
    nameErrors(MonqueError, 'MonqueError');
  }

  /** `MONQUE_` and the class name without `Error`, in upper snake case. Stable across releases. */
  readonly code: string = 'MONQUE_MONQUE';

  constructor(message: string, options?: MonqueErrorOptions) {
    // An absent cause must stay absent: `cause: undefined` would show in every log.
    super(message, options?.cause === undefined ? undefined : { cause: options.cause });
  }
}

/**
 * Gives the errors of a class their name. It is written out because a minifier renames classes, and it lives on
 * the prototype because V8 reads it there when it writes the first line of the stack.
 */
export function nameErrors(errorClass: { readonly prototype: Error }, name: string): void {
  Object.defineProperty(errorClass.prototype, 'name', { value: name, configurable: true, writable: true });
}
