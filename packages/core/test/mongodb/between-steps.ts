import { Collection } from 'mongodb';
import { onTestFinished, vi } from 'vitest';

/**
 * Lets something happen right before or after the next updates, by whichever store of this process: what another
 * process would do between two steps.
 */
export function besideUpdates(
  method: 'updateMany' | 'bulkWrite',
  act: { before?(): Promise<unknown>; after?(): Promise<unknown> },
): void {
  const original = Collection.prototype[method] as (...given: unknown[]) => Promise<unknown>;
  const spy = vi.spyOn(Collection.prototype, method);
  onTestFinished(() => spy.mockRestore());
  spy.mockImplementation(async function (this: Collection, ...given: unknown[]) {
    // The driver's own inserts are bulk writes too.
    if (Array.isArray(given[0]) && !('updateMany' in given[0][0]))
      return original.apply(this, given) as never;
    spy.mockRestore();
    await act.before?.();
    const answer = await original.apply(this, given);
    await act.after?.();
    return answer as never;
  });
}
