import { toError } from '../../job/thrown.js';
import type { Host } from '../host.js';
import { Repeater } from '../timing/repeater.js';
import type { FollowUpParts } from './follow-up-parts.js';
import { Sweep } from './sweep.js';

/** Milliseconds between the steps of one walk; the next walk begins after the interval. */
const BETWEEN_STEPS_MS = 1_000;

/** Sweeps now and then, in every process, at another moment than the others. */
export class Sweeper {
  readonly #emit: FollowUpParts['emit'];
  readonly #sweep: Sweep;
  readonly #repeater: Repeater;
  #stepping: Promise<void> | undefined;

  /** @param interval - Milliseconds between two walks. */
  constructor(parts: FollowUpParts, host: Host, interval: number) {
    this.#emit = parts.emit;
    this.#sweep = new Sweep(parts);
    this.#repeater = new Repeater(host, interval, 0.25, () => {
      this.#stepping = this.#step().finally(() => {
        this.#stepping = undefined;
      });
      return this.#stepping;
    });
  }

  start(): void {
    this.#repeater.start();
  }

  /** Resolves when a step that is under way has ended. */
  async stop(): Promise<void> {
    this.#repeater.stop();
    await this.#stepping;
  }

  async #step(): Promise<void> {
    try {
      if (await this.#sweep.step()) this.#repeater.soon(BETWEEN_STEPS_MS);
    } catch (thrown) {
      this.#emit('job:error', { error: toError(thrown) });
    }
  }
}
