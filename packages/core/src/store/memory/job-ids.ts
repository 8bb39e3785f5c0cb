import { createHash } from 'node:crypto';

const FORM = /^[0-9a-f]{24}$/;

/** Gives ids that sort by creation: twelve hexadecimal digits of time, then twelve of a counter. */
export class JobIds {
  #time = 0;
  #count = 0;

  next(now: number): string {
    // A clock that goes back must not put a new job before an older one.
    this.#time = Math.max(this.#time, now);
    this.#count += 1;
    return hex(this.#time) + hex(this.#count);
  }
}

/** The same for the same identity, and sorted by its time among the others. */
export function idOfIdentity(identity: string, time: Date): string {
  const digest = createHash('sha256').update(identity).digest('hex');
  return hex(Math.max(0, time.getTime())) + digest.slice(0, 12);
}

/** The id that a caller gave, or undefined where it cannot be one. */
export function parseJobId(value: unknown): string | undefined {
  if (typeof value !== 'string') return undefined;
  const id = value.toLowerCase();
  return FORM.test(id) ? id : undefined;
}

function hex(value: number): string {
  return Math.floor(value).toString(16).padStart(12, '0');
}
