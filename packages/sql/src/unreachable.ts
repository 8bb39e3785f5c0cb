import { ConnectionError } from '@monque/core';
import { codeOf } from './driver-codes.js';

/** What the operating system says when there is nobody at an address. */
const UNREACHABLE: ReadonlySet<unknown> = new Set([
  'ECONNREFUSED',
  'ENOTFOUND',
  'EAI_AGAIN',
  'EHOSTUNREACH',
  'ENETUNREACH',
  'ETIMEDOUT',
  'ECONNRESET',
  'ENOENT',
]);

/** An error of opening, in words that say what to do where the server is out of reach. */
export function explainUnreachable(error: unknown, server: string, address: string): unknown {
  // One error for each address of a host.
  const [first] = error instanceof AggregateError ? (error.errors as unknown[]) : [error];
  const code = codeOf(error) ?? codeOf(first);
  if (!UNREACHABLE.has(code)) return error;
  return new ConnectionError(
    `${server} cannot be reached at ${address} (${String(code)}). Check the address, and that the server runs`,
    { cause: error },
  );
}
