/** Names of drivers' errors after which nobody knows what the server did. */
const NAMES =
  /network|timeout|timed ?out|serverselection|topology|notconnected|poolclear|poolclosed|writeconcern/i;

/** System errors of sockets: ECONNRESET, EPIPE, ETIMEDOUT and the like. */
const SYSTEM_CODE = /^E[A-Z]{3,}$/;

/** Whether an error tells of the connection, and not of what was sent over it. By shape, whichever the driver. */
export function isConnectionFailure(error: unknown): boolean {
  if (!(error instanceof Error)) return false;
  const { code } = error as { code?: unknown };
  return NAMES.test(error.name) || (typeof code === 'string' && SYSTEM_CODE.test(code));
}
