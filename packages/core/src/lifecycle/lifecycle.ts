import type { Engine } from '../engine/engine.js';
import type { DrainResult, EngineParts } from '../engine/engine-types.js';
import { recoverStale } from '../engine/recover-stale.js';
import { ConnectionError } from '../errors/operation-errors.js';
import type { Retention } from '../manage/retention.js';
import type { WaitRoom } from '../manage/wait-room.js';
import { refuseLiveInstance } from './refuse-live-instance.js';
import { surfaced } from './surface-failures.js';

/** What starts and ends with an instance. */
export interface LifecycleParts {
  readonly engine: Engine;
  readonly retention: Retention;
  readonly waitRoom: WaitRoom<unknown>;
}

/** Opens, starts, stops and closes an instance, in whatever order and however often it is asked to. */
export class Lifecycle {
  readonly #parts: EngineParts & LifecycleParts;
  #opening: Promise<void> | undefined;
  #initialized = false;

  constructor(parts: EngineParts & LifecycleParts) {
    this.#parts = parts;
  }

  get healthy(): boolean {
    return this.#initialized && this.#parts.engine.running;
  }

  /** Callers share one opening; one that failed is forgotten, so that the next call tries again. */
  initialize(): Promise<void> {
    this.#opening ??= this.#open().then(
      () => {
        this.#initialized = true;
      },
      (error: unknown) => {
        this.#opening = undefined;
        throw surfaced(error);
      },
    );
    return this.#opening;
  }

  async #open(): Promise<void> {
    const { store, options, clock } = this.#parts;
    await store.open({
      collectionName: options.collectionName,
      skipIndexCreation: options.skipIndexCreation,
      retention: options.jobRetention !== undefined,
    });
    await clock.refresh();
    await refuseLiveInstance(this.#parts);
    if (options.recoverStaleJobs) await recoverStale(this.#parts);
  }

  requireInitialized(): void {
    if (this.#initialized) return;
    throw new ConnectionError('Monque is not initialized. Await initialize() before you use it');
  }

  start(): void {
    this.requireInitialized();
    this.#parts.engine.start();
    this.#parts.retention.start();
  }

  async drain(): Promise<DrainResult> {
    this.requireInitialized();
    try {
      return await this.#parts.engine.drain();
    } catch (error) {
      throw surfaced(error);
    }
  }

  async stop(): Promise<void> {
    this.#parts.retention.stop();
    await this.#parts.engine.stop();
  }

  /** Also ends an opening that is under way, as soon as it is through. */
  async close(): Promise<void> {
    await this.#opening?.catch(() => undefined);
    await this.stop();
    this.#initialized = false;
    this.#opening = undefined;
    this.#parts.waitRoom.close();
    try {
      await this.#parts.store.close();
    } catch (error) {
      throw surfaced(error);
    }
  }
}
