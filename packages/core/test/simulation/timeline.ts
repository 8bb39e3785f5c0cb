import type { Timer } from '../../src/engine/host.js';
import { BinaryHeap } from '../../src/store/memory/binary-heap.js';
import type { Random } from './random.js';

/** Begin of every history, shortly before a schedule fires. */
export const START = Date.UTC(2026, 0, 1, 12, 0, 57);

interface Step {
  readonly at: number;
  /** Drawn by lot: of two steps at the same moment either may come first. */
  readonly order: number;
  action: (() => void) | undefined;
}

/**
 * Virtual time. Whatever happens is a step at a moment of its own, and all that a step sets off comes to rest before
 * the next one. So a history is nothing but the order of its steps, and that is drawn from the seed.
 */
export class Timeline {
  /** True time, which is the store's, in milliseconds since 1970. */
  now = START;
  readonly #random: Random;
  readonly #steps = new BinaryHeap<Step>((a, b) => a.at - b.at || a.order - b.order);

  constructor(random: Random) {
    this.#random = random;
  }

  /** Lets something happen after so many milliseconds. */
  after(ms: number, action: () => void): Timer {
    const step: Step = { at: this.now + Math.max(0, ms), order: this.#random.next(), action };
    this.#steps.push(step);
    return {
      cancel: () => {
        step.action = undefined;
      },
    };
  }

  /** Lets time pass until something is the case; answers whether it was before so many milliseconds had passed. */
  async until(reached: () => boolean, ms: number): Promise<boolean> {
    const end = this.now + ms;
    await settled();
    while (!reached()) {
      const step = this.#steps.peek();
      if (step === undefined || step.at > end) {
        this.now = end;
        return false;
      }
      this.#steps.pop();
      const { action } = step;
      if (action === undefined) continue;
      step.action = undefined;
      this.now = step.at;
      action();
      await settled();
    }
    return true;
  }
}

/** All that happens between two steps happens in microtasks, so one turn of the event loop sees it done. */
function settled(): Promise<void> {
  return new Promise((resolve) => setImmediate(resolve));
}
