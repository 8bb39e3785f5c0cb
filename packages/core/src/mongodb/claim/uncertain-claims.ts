import type { ObjectId } from 'mongodb';
import type { ClaimRequest, HeldClaim } from '../../store/claim-types.js';
import type { MongoContext } from '../mongo-context.js';
import { release } from '../operations/leases.js';

/** Under which owner and token a claim was written, if it was. */
type UnseenClaim = Pick<ClaimRequest, 'owner' | 'token'>;

/**
 * Claims whose answer never came: the connection broke while they were being written. If they took effect, nobody
 * knows of them and nobody renews them; instead of waiting until recovery finds them silent, they are given back as
 * soon as the server answers again. Their token was told to nobody, so nothing that runs is touched.
 */
export class UncertainClaims {
  readonly #context: MongoContext;
  #claims: HeldClaim<ObjectId>[] = [];
  /** Claims of which not even the job is known. */
  #unseen: UnseenClaim[] = [];

  constructor(context: MongoContext) {
    this.#context = context;
  }

  add(ids: readonly ObjectId[], token: string): void {
    this.#claims.push(...ids.map((id) => ({ id, token })));
  }

  /** The same for a claim that would have told which job it took. */
  addUnseen({ owner, token }: UnseenClaim): void {
    this.#unseen.push({ owner, token });
  }

  async giveBack(now: Date): Promise<void> {
    if (this.#unseen.length > 0) await this.#lookUpUnseen();
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

  /** Index: claimedBy_1_status_1. */
  async #lookUpUnseen(): Promise<void> {
    const unseen = this.#unseen;
    const tokens = unseen.map(({ token }) => token);
    const found = await this.#context.jobs
      .find(
        {
          claimedBy: { $in: [...new Set(unseen.map(({ owner }) => owner))] },
          status: 'processing',
          claimToken: { $in: tokens },
        },
        { projection: { claimToken: 1 } },
      )
      .toArray();
    this.#unseen = this.#unseen.filter((claim) => !unseen.includes(claim));
    for (const { _id, claimToken } of found) this.add([_id], claimToken ?? '');
  }
}
