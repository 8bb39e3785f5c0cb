import type { Operation } from './operation.js';

/**
 * Tells watchers of what an operation did, if and when it takes effect. The first may wake somebody; neither has to
 * reach anybody, since everyone looks for himself now and then.
 */
export interface Notices {
  /** Jobs wait; the earliest of them for this time. With the name, if they share one. */
  due(nextRunAt: Date, name?: string): Operation<void>;
  /** Running jobs were cancelled or removed. */
  stopped(ids: readonly string[]): Operation<void>;
}

/** Tells nobody, where nobody can listen. */
export const NO_NOTICES: Notices = {
  *due() {},
  *stopped() {},
};
