import type { SqlContext } from '../context.js';
import { ask, type Operation } from '../operation.js';
import { givenBack } from '../operations/unclaimed.js';
import { JobState } from '../schema/columns.js';

/**
 * Claims whose answer never came: the connection broke while they were being written. If they took effect, nobody
 * knows of them and nobody renews them; instead of waiting until recovery finds them silent, they are given back as
 * soon as the server answers again. Their token was told to nobody, so nothing that runs is touched.
 */
export class UncertainClaims {
  #tokens: string[] = [];

  add(token: string): void {
    this.#tokens.push(token);
  }

  /** Gives back what they took. Index: IX_Jobs_State. */
  async giveBack({ database, dialect }: SqlContext, now: Date): Promise<void> {
    const tokens = this.#tokens;
    if (tokens.length === 0) return;
    this.#tokens = [];
    try {
      await database.run(function* (): Operation<void> {
        const query = dialect.builder
          .updateTable('Jobs')
          .set(givenBack(dialect.toTime(now)))
          .where('State', '=', JobState.processing)
          .where(dialect.oneOf('ClaimToken', tokens));
        yield* ask(query.compile());
      });
    } catch (error) {
      this.#tokens.push(...tokens);
      throw error;
    }
  }
}
