import type { Engine } from '../engine/engine.js';
import type { FollowUpParts } from '../engine/follow-up/follow-up-parts.js';
import type { ServerClock } from '../engine/server-clock.js';
import type { OutsideStore } from '../lifecycle/surface-failures.js';
import type { ResolvedOptions } from '../options/resolved-options.js';
import type { InsertCoalescer } from './insert-coalescer.js';

/** What intake stands on. */
export interface IntakeParts<Id> {
  readonly store: OutsideStore<Id>;
  readonly coalescer: InsertCoalescer<Id>;
  readonly clock: ServerClock;
  readonly engine: Pick<Engine, 'wake'>;
  readonly followUps: FollowUpParts;
  readonly options: Pick<ResolvedOptions, 'maxPayloadSize' | 'timezone'>;
}
