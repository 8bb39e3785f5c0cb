import type { StoredJob } from '@monque/core';
import type { Ended } from '../backend.js';
import { ask, type Operation } from '../operation.js';

const NO_LONGER_HELD = `SELECT key FROM json_each(?) WHERE NOT EXISTS (
  SELECT 1 FROM "Jobs" WHERE "Id" = key AND "State" = 2 AND "ClaimToken" = value)`;

/**
 * The claims of this store that have not ended. Another process that cancels or removes a job leaves no message: only
 * that the file has changed can be seen, and then these are looked at. Ids and tokens alone, and each goes by itself:
 * one job of a claim may run for days, or end without a word.
 */
export class HeldClaims {
  /** The tokens by the ids of the jobs. */
  readonly #tokens = new Map<string, string>();

  add(token: string, jobs: readonly StoredJob<string>[]): void {
    for (const { _id } of jobs) this.#tokens.set(_id, token);
  }

  ended(claims: readonly Ended[]): void {
    for (const claim of claims) {
      const id = 'id' in claim ? claim.id : claim.job._id;
      // It may have been taken anew since.
      if (this.#tokens.get(id) === claim.token) this.#tokens.delete(id);
    }
  }

  /** Jobs were cancelled or removed here: the runs notice, and end without a word to the store. */
  stopped(ids: readonly string[]): void {
    for (const id of ids) this.#tokens.delete(id);
  }

  /** Jobs that are held no longer; each is told once. Index: PK_Jobs. */
  *lost(): Operation<string[]> {
    if (this.#tokens.size === 0) return [];
    const claims = JSON.stringify(Object.fromEntries(this.#tokens));
    const { rows } = yield* ask({ sql: NO_LONGER_HELD, parameters: [claims] });
    const ids = rows.map(([id]) => String(id));
    this.stopped(ids);
    return ids;
  }
}
