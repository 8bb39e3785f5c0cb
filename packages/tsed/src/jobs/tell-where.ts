/** Puts where an error happened before its message. The error stays the one it is, for whoever looks at its class. */
export function tellWhere(where: string, error: unknown): unknown {
  if (!(error instanceof Error)) return error;
  const { message, stack } = error;
  error.message = `${where}: ${message}`;
  // The stack was written when the error was made, and it is what logs show.
  error.stack = stack?.replace(message, () => error.message) ?? error.message;
  return error;
}
