import type { JobContext } from '../job/handler.js';
import type { ResolvedOptions } from '../options/resolved-options.js';
import type { JobStore } from '../store/port.js';
import type { Emit } from './emit.js';
import type { Host } from './host.js';
import type { ServerClock } from './server-clock.js';
import type { WorkerRegistry } from './worker-registry.js';

/** What every part of the engine stands on. */
export interface EngineParts {
  readonly store: JobStore;
  readonly host: Host;
  readonly clock: ServerClock;
  readonly options: ResolvedOptions;
  readonly workers: WorkerRegistry;
  readonly emit: Emit;
  /** Handed to handlers as `context.monque`. */
  readonly monque: JobContext<unknown>['monque'];
}

/** What {@link Engine.drain} did. */
export interface DrainResult {
  /** Runs that ended in success. */
  completed: number;
  /** Runs that failed, whether or not they will be tried again. */
  failed: number;
  /** Runs that cancelled themselves or asked for a later time. */
  other: number;
}
