import type { EngineParts } from './engine-types.js';

/** Gives back what dead processes held, and tells how many jobs that were. */
export async function recoverStale(
  parts: Pick<EngineParts, 'store' | 'clock' | 'options' | 'emit'>,
): Promise<void> {
  const { lockTimeout, legacyLockTimeout } = parts.options;
  const count = await parts.store.recover({ now: parts.clock.now(), lockTimeout, legacyLockTimeout });
  if (count > 0) parts.emit('stale:recovered', { count });
}
