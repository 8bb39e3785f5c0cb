import type { MemoryStore } from '../../src/store/memory/memory-store.js';
import { afterChange, afterInsert, afterRemove } from './change-rules.js';
import {
  afterClaim,
  afterProgress,
  afterRecover,
  afterRelease,
  afterRenew,
  type Read,
} from './lease-rules.js';
import type { Ledger, Owner, Stored } from './ledger.js';
import { afterSettle } from './settle-rules.js';
import type { Store } from './world.js';

/** What goes over the network. */
export const METHODS = [
  'open',
  'close',
  'now',
  'insert',
  'claim',
  'nextDueAt',
  'settle',
  'release',
  'renew',
  'verify',
  'recover',
  'findLiveClaim',
  'get',
  'page',
  'counts',
  'countsByName',
  'change',
  'changeWhere',
  'remove',
  'removeWhere',
  'saveProgress',
  'appendLogs',
  'logs',
] as const satisfies readonly (keyof Store)[];

export type Method = (typeof METHODS)[number];
export type Args<M extends Method> = Parameters<Store[M]>;
export type Answer<M extends Method> = Awaited<ReturnType<Store[M]>>;

/** One call: what is asked, and by whom. */
export type Call = { [M in Method]: { readonly method: M; readonly args: Args<M> } }[Method];

/** Carries calls out, one at a time and each without a break, and holds every one of them against the rules. */
export class Server {
  readonly #store: MemoryStore;
  readonly #ledger: Ledger;

  constructor(store: MemoryStore, ledger: Ledger) {
    this.#store = store;
    this.#ledger = ledger;
  }

  /** @param asked - The store that does it: the true one, or one with a bug. */
  async carryOut<M extends Method>(owner: Owner, method: M, args: Args<M>, asked: Store): Promise<Answer<M>> {
    const perform = asked[method] as (...args: Args<M>) => Promise<Answer<M>>;
    const answer = await perform.apply(asked, args);
    await this.#check(owner, { method, args } as unknown as Call, answer);
    return answer;
  }

  async #check(owner: Owner, call: Call, answer: unknown): Promise<void> {
    const ledger = this.#ledger;
    switch (call.method) {
      case 'claim':
        return afterClaim(ledger, owner, call.args[0], answer as Answer<'claim'>);
      case 'renew': {
        const [, claims] = call.args;
        return afterRenew(ledger, owner, claims, answer as Answer<'renew'>, await this.#read(idsOf(claims)));
      }
      case 'release':
        return afterRelease(ledger, owner, call.args[0], await this.#read(idsOf(call.args[0])));
      case 'recover': {
        if ((answer as number) === 0) return;
        return afterRecover(ledger, owner, call.args[0], await this.#read([...ledger.jobs.keys()]));
      }
      case 'saveProgress':
        return afterProgress(
          ledger,
          owner,
          call.args[0],
          answer as boolean,
          await this.#read([call.args[0].id]),
        );
      case 'settle': {
        const answers = answer as Answer<'settle'>;
        const ids = [...call.args[0].items, ...answers].map(({ job }) => job._id);
        return afterSettle(ledger, owner, call.args[0], answers, await this.#read(ids));
      }
      case 'insert': {
        const answers = answer as Answer<'insert'>;
        const read = await this.#read(answers.map(({ job }) => job._id));
        return afterInsert(ledger, call.args[0], answers, read);
      }
      case 'change':
        return afterChange(ledger, owner, call.args[0], call.args[1], await this.#read(call.args[0]));
      case 'changeWhere': {
        const ids = [...ledger.jobs.keys()];
        return afterChange(ledger, owner, ids, call.args[1], await this.#read(ids));
      }
      // What waits for a job goes with it.
      case 'remove':
      case 'removeWhere':
        return afterRemove(ledger, ledger.jobs.keys(), await this.#read([...ledger.jobs.keys()]));
    }
  }

  /** What is stored now, whatever the answer said. */
  async #read(ids: readonly string[]): Promise<Read> {
    const found = new Map<string, Stored>();
    for (const job of await this.#store.get(ids)) found.set(job._id, job);
    return (id) => found.get(id);
  }
}

function idsOf(claims: readonly { readonly id: string }[]): string[] {
  return claims.map(({ id }) => id);
}
