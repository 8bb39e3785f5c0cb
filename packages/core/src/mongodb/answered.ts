/** How long an answer may take, in milliseconds: far longer than any of the operations does, and half of a default lease. */
const LONGEST_ANSWER_MS = 60_000;

/** The driver has given no answer. What became of the operation is not known. */
class NoAnswerTimeoutError extends Error {
  override readonly name = 'NoAnswerTimeoutError';
}

/**
 * Waits for an operation, but not for ever. The driver may lose one for good: what it writes to a socket that is
 * closing at that very moment is neither answered nor rejected (drivers 6 and 7). A loop of the engine that waited for it would
 * never claim or store anything again; so it counts as failed, like one whose connection broke.
 */
export async function answered<T>(operation: Promise<T>, withinMs = LONGEST_ANSWER_MS): Promise<T> {
  let timer: NodeJS.Timeout | undefined;
  const silence = new Promise<never>((_, reject) => {
    const error = new NoAnswerTimeoutError(`The driver has not answered within ${withinMs} ms`);
    timer = setTimeout(reject, withinMs, error);
  });
  try {
    return await Promise.race([operation, silence]);
  } finally {
    clearTimeout(timer);
  }
}
