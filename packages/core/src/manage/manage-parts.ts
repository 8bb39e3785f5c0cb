import type { Emit } from '../engine/emit.js';
import type { Engine } from '../engine/engine.js';
import type { FollowUpParts } from '../engine/follow-up/follow-up-parts.js';
import type { ServerClock } from '../engine/server-clock.js';
import type { OutsideStore } from '../lifecycle/surface-failures.js';
import type { StatsCache } from './stats-cache.js';

/** What management calls stand on. */
export interface ManageParts<Id> {
  readonly store: OutsideStore<Id>;
  readonly clock: ServerClock;
  readonly engine: Pick<Engine, 'wake' | 'stopRun' | 'verifyRuns' | 'followUp'>;
  readonly followUps: FollowUpParts;
  readonly emit: Emit;
  readonly stats: StatsCache;
}
