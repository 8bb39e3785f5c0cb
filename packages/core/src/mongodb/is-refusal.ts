import { errorCode, partialWrite } from './driver-errors.js';

/** The document would be too large, in the server's words; or a validator of the collection refuses it. */
const REFUSED = new Set<unknown>([10_334, 17_419, 17_420, 121]);

/** Errors of the driver, before anything is sent, about a value that cannot be written as BSON. */
const UNWRITABLE = new Set(['BSONError', 'BSONVersionError', 'BSONRuntimeError', 'RangeError']);

/** Whether the same write would be refused again, however often it is tried. */
export function isRefusal(error: unknown): boolean {
  if (!(error instanceof Error)) return false;
  const failures = partialWrite(error)?.failures ?? [];
  return (
    UNWRITABLE.has(error.name) ||
    [errorCode(error), ...failures.map(({ code }) => code)].some((code) => REFUSED.has(code))
  );
}
