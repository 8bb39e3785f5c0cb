const PAUSE_MS = 10;

/**
 * Tries until the assertions hold, and fails with the last error once the deadline has passed.
 *
 * @param check - Throws, or answers false, while it is too early.
 */
export async function eventually<T>(
  check: () => T | Promise<T>,
  { within = 5_000 }: { within?: number } = {},
): Promise<T> {
  const deadline = performance.now() + within;
  for (;;) {
    try {
      const value = await check();
      if (value !== false) return value;
      if (performance.now() > deadline) throw new Error(`Still false after ${within} ms`);
    } catch (error) {
      if (performance.now() > deadline) throw error;
    }
    await new Promise((resolve) => setTimeout(resolve, PAUSE_MS));
  }
}
