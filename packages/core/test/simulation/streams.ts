import { WatchUnsupportedError } from '../../src/errors/operation-errors.js';
import type { Subscription, WatchObserver } from '../../src/store/watch-types.js';
import { networkError } from './faults.js';
import type { ProcessHost } from './process-host.js';
import type { Random } from './random.js';
import type { Store, World } from './world.js';

/** Longest delay of what a stream tells, in milliseconds. */
const LATE_MS = 10;

/** The streams of changes that one process has open: what they tell comes late, and not at all once they broke. */
export class Streams {
  readonly #world: World;
  readonly #host: ProcessHost;
  readonly #asked: Store;
  readonly #random: Random;
  readonly #open = new Set<WatchObserver<string>>();

  constructor(world: World, host: ProcessHost, asked: Store, random: Random) {
    this.#world = world;
    this.#host = host;
    this.#asked = asked;
    this.#random = random;
  }

  watch(observer: WatchObserver<string>): Promise<Subscription> {
    if (!this.#world.plan.streams) return Promise.reject(new WatchUnsupportedError('there is no stream'));
    const fate = this.#world.network.fateOf(this.#random);
    return new Promise((resolve, reject) => {
      this.#host.deliver(fate.there + fate.back, () => {
        if (fate.fault === undefined && !this.#world.network.isDown) resolve(this.#subscribe(observer));
        else reject(networkError('no stream could be opened'));
      });
    });
  }

  breakAll(): void {
    for (const observer of this.#open) {
      this.#open.delete(observer);
      this.#host.deliver(0, () => observer.lost(networkError('the stream broke')));
    }
  }

  async #subscribe(observer: WatchObserver<string>): Promise<Subscription> {
    this.#open.add(observer);
    const late = (tell: () => void): void => {
      if (!this.#open.has(observer) || this.#world.network.isDown) return;
      this.#host.deliver(this.#random.below(LATE_MS), () => {
        if (this.#open.has(observer)) tell();
      });
    };
    const subscription = await this.#asked.watch({
      due: (nextRunAt, name) => late(() => observer.due(nextRunAt, name)),
      stopped: (id) => late(() => observer.stopped(id)),
      lost: (error) => late(() => observer.lost(error)),
    });
    return {
      close: async () => {
        this.#open.delete(observer);
        await subscription.close();
      },
    };
  }
}
