import { setTimeout as pause } from 'node:timers/promises';

/** How long to go on trying, in milliseconds. */
const PATIENCE_MS = 30_000;
/** Longest pause before the next try, in milliseconds. */
const LONGEST_PAUSE_MS = 50;

/**
 * Runs something again for as long as the database says that others were in the way and that it has undone everything:
 * a deadlock, or a unique key that was taken at the very same moment.
 */
export async function retryRaces<T>(run: () => Promise<T>, isRace: (error: unknown) => boolean): Promise<T> {
  const deadline = performance.now() + PATIENCE_MS;
  for (let longest = 2; ; longest = Math.min(LONGEST_PAUSE_MS, longest * 2)) {
    try {
      return await run();
    } catch (error) {
      if (!isRace(error) || performance.now() > deadline) throw error;
    }
    await pause(Math.random() * longest);
  }
}
