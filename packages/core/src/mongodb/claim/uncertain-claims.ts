import type { ObjectId } from 'mongodb';
import type { HeldClaim } from '../../store/claim-types.js';
import type { MongoContext } from '../mongo-context.js';
import { release } from '../operations/leases.js';

/**
 * Claims whose answer never came: the connection broke while they were being written. If they took effect, nobody
 * knows of them and nobody renews them; instead of waiting until recovery finds them silent, they are given back as
 * soon as the server answers again. Their token was told to nobody, so nothing that runs is touched.
 */
export class UncertainClaims {
  readonly #context: MongoContext;
  #claims: HeldClaim<ObjectId>[] = [];

  constructor(context: MongoContext) {
    this.#context = context;
  }

  add(ids: readonly ObjectId[], token: string): void {
    this.#claims.push(...ids.map((id) => ({ id, token })));
  }

  async giveBack(now: Date): Promise<void> {
    const claims = this.#claims;
    if (claims.length === 0) return;
    this.#claims = [];
    try {
      await release(this.#context, claims, now);
    } catch (error) {
      this.#claims.push(...claims);
      throw error;
    }
  }
}
