import { createHash, randomFillSync } from 'node:crypto';

/** A GUID of version 7, as ours are. */
const OURS = /^[0-9a-f]{8}-[0-9a-f]{4}-7[0-9a-f]{3}-[0-9a-f]{4}-[0-9a-f]{12}$/i;

/** Random numbers that are fetched at once: one call for each id would cost more than the id. */
const POOL_SIZE = 1_024;
/** Ids of one millisecond: the twelve bits behind the time count them, so that they sort as they were made. */
const PER_MILLISECOND = 0x1000;

/** Makes ids: GUIDs of version 7, which sort by creation, also those of one millisecond. */
class JobIds {
  #time = 0;
  #count = 0;
  readonly #random = new Uint32Array(POOL_SIZE);
  #used = POOL_SIZE;

  next(now: number): string {
    // A clock that goes back must not put a new job before an older one.
    if (now > this.#time) {
      this.#time = now;
      this.#count = 0;
    } else if (this.#count + 1 < PER_MILLISECOND) {
      this.#count += 1;
    } else {
      this.#time += 1;
      this.#count = 0;
    }
    const time = this.#time.toString(16).padStart(12, '0');
    // The variant of RFC 9562 in the first two bits.
    const variant = ((this.#draw() & 0x3fff_ffff) | 0x8000_0000) >>> 0;
    const head = variant.toString(16);
    const tail = this.#draw().toString(16).padStart(8, '0');
    const count = this.#count.toString(16).padStart(3, '0');
    return `${time.slice(0, 8)}-${time.slice(8)}-7${count}-${head.slice(0, 4)}-${head.slice(4)}${tail}`;
  }

  #draw(): number {
    if (this.#used >= POOL_SIZE) {
      randomFillSync(this.#random);
      this.#used = 0;
    }
    const drawn = this.#random[this.#used] ?? 0;
    this.#used += 1;
    return drawn;
  }
}

/** One for the process: its stores may share a database. */
const ids = new JobIds();

/** A new id, which sorts after all that this process has made before. */
export function newJobId(createdAt: Date): string {
  return ids.next(createdAt.getTime());
}

/** The last time that fits into an id, in milliseconds. */
const LAST_TIME = 2 ** 48 - 1;

/** The same id for the same identity: its time, as in any of ours, and a hash in place of chance. */
export function idOfIdentity(identity: string, time: Date): string {
  const millis = Math.min(Math.max(0, time.getTime()), LAST_TIME).toString(16).padStart(12, '0');
  const digest = createHash('sha256').update(identity).digest('hex');
  const variant = (8 + (Number.parseInt(digest.slice(3, 4), 16) % 4)).toString(16);
  return `${millis.slice(0, 8)}-${millis.slice(8)}-7${digest.slice(0, 3)}-${variant}${digest.slice(4, 7)}-${digest.slice(7, 19)}`;
}

/** Longest id, in characters: the column has 36, which SQLite does not insist on. */
const LONGEST = 255;

/**
 * The id that a caller gave, or undefined where it cannot be one. Ours are in lower case; those of others need not be
 * GUIDs, and are looked up as they are written, since databases tell the cases apart.
 */
export function parseJobId(value: unknown): string | undefined {
  if (typeof value !== 'string' || value === '' || value.length > LONGEST) return undefined;
  // No text of PostgreSQL holds it.
  if (value.includes('\0')) return undefined;
  return OURS.test(value) ? value.toLowerCase() : value;
}
