/** Text or binary that is too long; a value of a type that SQLite does not have; a constraint that somebody added. */
const REFUSED = /^SQLITE_(TOOBIG|MISMATCH|CONSTRAINT)/;

/** Whether the same write would be refused again, however often it is tried. */
export function isRefusal(error: unknown): boolean {
  if (!(error instanceof Error)) return false;
  // Of the driver, before anything is sent.
  if (error instanceof RangeError || error instanceof TypeError) return true;
  return 'code' in error && typeof error.code === 'string' && REFUSED.test(error.code);
}
