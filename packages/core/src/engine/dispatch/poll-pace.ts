/** First wait after a look that brought something, in milliseconds. */
const FIRST_MS = 25;

/**
 * How soon to look again where nobody tells of changes: soon after work came, since more is likely to follow, and ever
 * later while none comes.
 */
export class PollPace {
  #next = FIRST_MS;

  /** A look brought something. */
  found(): void {
    this.#next = FIRST_MS;
  }

  /** Milliseconds until the next look, at most `longest`; each is twice the one before. */
  next(longest: number): number {
    const wait = Math.min(this.#next, longest);
    this.#next = wait * 2;
    return wait;
  }
}
