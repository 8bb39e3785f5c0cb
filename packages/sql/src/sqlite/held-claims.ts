import type { HeldClaim, StoredJob } from '@monque/core';
import { ask, type Operation } from '../operation.js';

const NO_LONGER_HELD = `SELECT value FROM json_each(?) WHERE NOT EXISTS (
  SELECT 1 FROM "Jobs" WHERE "Id" = value AND "State" = 2)`;

/** The jobs of one claim, and how many of them have not ended. */
interface Claim {
  readonly jobs: readonly StoredJob<string>[];
  left: number;
}

/**
 * The claims of this store that have not ended. Another process that cancels or removes a job leaves no message: only
 * that the file has changed can be seen, and then these are looked at. Kept by claim and not by job, since each job
 * that ends passes here.
 */
export class HeldClaims {
  readonly #claims = new Map<string, Claim>();

  add(token: string, jobs: readonly StoredJob<string>[]): void {
    if (jobs.length > 0) this.#claims.set(token, { jobs, left: jobs.length });
  }

  /** Runs have ended, or claims were given back. */
  ended(claims: readonly Pick<HeldClaim, 'token'>[]): void {
    for (const { token } of claims) {
      const claim = this.#claims.get(token);
      if (claim === undefined) continue;
      claim.left -= 1;
      if (claim.left <= 0) this.#claims.delete(token);
    }
  }

  /** Jobs of these claims that are held no longer; also those that this store has ended itself. Index: PK_Jobs. */
  *lost(): Operation<string[]> {
    const ids = [...this.#claims.values()].flatMap(({ jobs }) => jobs.map(({ _id }) => _id));
    if (ids.length === 0) return [];
    const { rows } = yield* ask({ sql: NO_LONGER_HELD, parameters: [JSON.stringify(ids)] });
    return rows.map(([id]) => String(id));
  }
}
