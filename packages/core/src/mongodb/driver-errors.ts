/** The code of an error of the driver. */
export function errorCode(error: unknown): unknown {
  return typeof error === 'object' && error !== null && 'code' in error ? error.code : undefined;
}

/** A unique index refused a write. */
export const DUPLICATE_KEY = 11_000;

/** Whether a write was refused because its id exists already. */
export function isSameId(error: unknown): boolean {
  return error instanceof Error && SAME_ID.test(error.message);
}

/** The driver passes on the text of a bulk write's error, and not its key pattern. Behind the bracket are values of users. */
const SAME_ID = /^[^{]* index: _id_ /;

/** A query named an index that does not exist: it was dropped under a running instance, with or without its collection. */
export function isBadHint(error: unknown): boolean {
  return errorCode(error) === 2 && error instanceof Error && error.message.includes('hint');
}

/** One refused write of a batch. */
interface WriteFailure {
  readonly index: number;
  readonly code: unknown;
  /** Whether it was refused because its id exists already. */
  readonly sameId: boolean;
}

/** What an unordered batch came to that was refused in parts only. */
export interface PartialWrite {
  readonly failures: readonly WriteFailure[];
  readonly modified: number;
}

/** The refused ones of an insert of one or many; undefined for any other error, whose effect is unknown. */
export function refusedInserts(error: unknown): readonly WriteFailure[] | undefined {
  if (errorCode(error) === DUPLICATE_KEY && error instanceof Error && error.name === 'MongoServerError') {
    return [{ index: 0, code: DUPLICATE_KEY, sameId: isSameId(error) }];
  }
  return partialWrite(error)?.failures;
}

/** Reads a bulk error by its shape; undefined for any other error, whose effect is unknown. */
export function partialWrite(error: unknown): PartialWrite | undefined {
  if (!(error instanceof Error) || error.name !== 'MongoBulkWriteError') return undefined;
  const { writeErrors, result } = error as BulkErrorShape;
  const list = Array.isArray(writeErrors) ? writeErrors : writeErrors === undefined ? [] : [writeErrors];
  // A batch whose majority could not be reached has no refused writes, and yet no certain effect.
  if (list.length === 0) return undefined;
  return {
    failures: list.map((one) => ({
      index: one.index,
      code: one.code,
      sameId: one.code === DUPLICATE_KEY && SAME_ID.test(one.errmsg ?? ''),
    })),
    modified: result?.modifiedCount ?? 0,
  };
}

interface BulkErrorShape extends Error {
  readonly writeErrors?: OneWriteError | readonly OneWriteError[];
  readonly result?: { readonly modifiedCount?: number };
}

interface OneWriteError {
  readonly index: number;
  readonly code: unknown;
  readonly errmsg?: string;
}
