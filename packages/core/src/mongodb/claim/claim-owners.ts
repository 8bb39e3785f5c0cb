import type { Filter } from 'mongodb';
import type { JobDocument } from '../documents/job-document.js';

/** Claims whose owner is remembered. */
const MOST_REMEMBERED = 10_000;

/**
 * For whom this process claimed. The specification's own recovery and claim, which an older Monque runs, know no token
 * and leave the one of the owner before: there the token alone would match a claim that is another's by now.
 */
export class ClaimOwners {
  readonly #owners = new Map<string, string>();

  note(token: string, owner: string): void {
    this.#owners.set(token, owner);
    const [oldest] = this.#owners.keys();
    if (this.#owners.size > MOST_REMEMBERED && oldest !== undefined) this.#owners.delete(oldest);
  }

  /** A condition that claims with these tokens are still their owners'; none where one of them is not known. */
  fence(tokens: Iterable<string>): Filter<JobDocument> {
    const owners = new Set<string>();
    for (const token of tokens) {
      const owner = this.#owners.get(token);
      if (owner === undefined) return {};
      owners.add(owner);
    }
    return { claimedBy: { $in: [...owners] } };
  }
}
