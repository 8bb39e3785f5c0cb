import type { Handle, JobData } from '../contenders/contender.js';
import { monotonic } from '../measure/monotonic.js';
import type { Mark } from './commands.js';

/** Marks per run. */
const MARKS = 100;

/** Takes note of every job that this process handles. */
export class Tally {
  readonly latencies: number[] = [];
  readonly marks: Mark[] = [];
  handled = 0;
  /** When the latest job began. */
  handledAt = 0;
  repeats = 0;
  readonly #seen: Uint8Array;
  readonly #markEvery: number;

  constructor(expected: number) {
    this.#seen = new Uint8Array(Math.ceil(expected / 8));
    this.#markEvery = Math.max(1, Math.floor(expected / MARKS));
  }

  /** One bit for each job, in base64. */
  get seen(): string {
    return Buffer.from(this.#seen).toString('base64');
  }

  /** The handler of all jobs. */
  readonly handle: Handle = (data) => {
    this.#note(data);
    const { ms } = data;
    return ms === undefined ? undefined : new Promise((resolve) => setTimeout(resolve, ms));
  };

  #note({ n, sentAt }: JobData): void {
    this.handledAt = monotonic();
    if (sentAt !== undefined) this.latencies.push(this.handledAt - sentAt);
    const bit = 1 << (n & 7);
    const byte = this.#seen[n >> 3] ?? 0;
    if ((byte & bit) !== 0) this.repeats++;
    this.#seen[n >> 3] = byte | bit;
    if (++this.handled % this.#markEvery === 0) {
      this.marks.push({ handled: this.handled, at: this.handledAt, rss: process.memoryUsage.rss() });
    }
  }
}
