import type { Engine } from '../engine/engine.js';
import type { Host } from '../engine/host.js';
import type { IntakeParts } from '../intake/intake-parts.js';
import type { BulkActions } from '../manage/bulk-actions.js';
import type { ManageParts } from '../manage/manage-parts.js';

/** What workflows stand on. */
export interface WorkflowParts<Id> extends IntakeParts<Id>, ManageParts<Id> {
  readonly host: Host;
  readonly engine: Engine;
  readonly bulk: BulkActions<Id>;
}
