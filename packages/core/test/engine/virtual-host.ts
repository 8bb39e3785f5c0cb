import { randomUUID } from 'node:crypto';
import type { Host } from '../../src/engine/host.js';

interface Scheduled {
  at: number;
  order: number;
  callback: () => void;
}

/** A machine whose time moves only when the test says so. */
export class VirtualHost implements Host {
  /** Added to the true time it is what this host believes; set it to give the host a wrong clock. */
  skew = 0;
  #now = Date.UTC(2026, 0, 1);
  #order = 0;
  #timers: Scheduled[] = [];

  /** The true time, for the store. */
  readonly trueTime = (): number => this.#now;

  wallClock(): number {
    return this.#now + this.skew;
  }

  monotonic(): number {
    return this.#now - Date.UTC(2026, 0, 1);
  }

  random(): number {
    return 0.5;
  }

  uniqueText(): string {
    return randomUUID();
  }

  after(ms: number, callback: () => void): { cancel(): void } {
    const timer = { at: this.#now + Math.max(0, ms), order: this.#order++, callback };
    this.#timers.push(timer);
    return {
      cancel: () => {
        this.#timers = this.#timers.filter((other) => other !== timer);
      },
    };
  }

  /** Lets time pass: every timer fires at its own moment, and all that it sets off comes to rest before the next. */
  async advance(ms: number): Promise<void> {
    const end = this.#now + ms;
    await settleMicrotasks();
    for (;;) {
      const next = this.#timers.sort((a, b) => a.at - b.at || a.order - b.order)[0];
      if (next === undefined || next.at > end) break;
      this.#now = Math.max(this.#now, next.at);
      this.#timers = this.#timers.filter((other) => other !== next);
      next.callback();
      await settleMicrotasks();
    }
    this.#now = end;
    await settleMicrotasks();
  }
}

/** In-memory stores answer within microtasks, so one turn of the event loop sees all of it done. */
function settleMicrotasks(): Promise<void> {
  return new Promise((resolve) => setImmediate(resolve));
}
