/**
 * About the values: too long for a column or a packet, out of range, characters that the column does not know, a
 * constraint that somebody added.
 */
const REFUSED: ReadonlySet<unknown> = new Set([1406, 1153, 1264, 1366, 1292, 3140, 4025, 3819, 1048]);

/** Whether the same write would be refused again, however often it is tried. */
export function isRefusal(error: unknown): boolean {
  if (error instanceof RangeError) return true;
  return error instanceof Error && 'errno' in error && REFUSED.has(error.errno);
}
