import type { ObjectId } from 'mongodb';

/** Jobs that are remembered; those due last are forgotten beyond them. */
const MOST_REMEMBERED = 16;

/** A job that was told of. */
interface Announcement {
  readonly id: ObjectId;
  readonly nextRunAt: Date;
  /** Absent where the change does not tell it. */
  readonly name: string | undefined;
}

/**
 * Jobs that the stream of changes, or an insert of this process, told of since the latest look. After a silence the one
 * among them that is due is nearly always all there is, and it can be taken by its id.
 */
export class Announced {
  readonly #jobs = new Map<string, Announcement>();
  /** The names of the latest look: what others run must not push out what is run here. */
  #names: ReadonlySet<string> | undefined;
  /**
   * The job that was handed out last: the stream tells of an insert of this process when it has long been taken. The
   * price is that a job which goes back to pending right away is looked for.
   */
  #latest: string | undefined;

  /** A job waits. */
  note(job: Announcement): void {
    const key = String(job.id);
    if (key === this.#latest || !this.#isWanted(job)) return;
    this.#jobs.set(key, job);
    if (this.#jobs.size > MOST_REMEMBERED) this.#forgetLast();
  }

  /** Hands out the one job of these names that is due by now; undefined where there are none or several. */
  takeOnly(names: readonly string[], now: Date): ObjectId | undefined {
    const [only, ...others] = this.#dueBy(now).filter(
      ([, { name }]) => name === undefined || names.includes(name),
    );
    if (only === undefined || others.length > 0) return undefined;
    const [key, { id }] = only;
    this.#jobs.delete(key);
    this.#latest = key;
    return id;
  }

  /** Everything of these names that is due by now is about to be looked at. */
  pass(names: readonly string[], now: Date): void {
    this.#names = new Set(names);
    for (const [key] of this.#dueBy(now)) this.#jobs.delete(key);
  }

  #isWanted({ name }: Announcement): boolean {
    return name === undefined || this.#names === undefined || this.#names.has(name);
  }

  #dueBy(now: Date): [string, Announcement][] {
    return [...this.#jobs].filter(([, { nextRunAt }]) => nextRunAt <= now);
  }

  #forgetLast(): void {
    const [last] = [...this.#jobs].reduce((a, b) => (b[1].nextRunAt > a[1].nextRunAt ? b : a));
    this.#jobs.delete(last);
  }
}
