import type { Insert, Inserted } from '../../src/store/insert-types.js';
import { describeAnswer, describeArgs } from './describe-calls.js';
import { errorOf, networkError, partOf } from './faults.js';
import type { Ledger } from './ledger.js';
import type { Fault } from './network.js';
import type { Random } from './random.js';
import { type Answer, type Args, METHODS, type Method, type Server } from './server.js';
import type { SimulatedProcess } from './simulated-process.js';
import { Streams } from './streams.js';
import type { Store, World } from './world.js';

/** The store as one process reaches it: over a network on which calls are slow, get lost, or lose their answers. */
export class Connection {
  /** Calls whose answer has not come. */
  inFlight = 0;
  readonly store: Store;
  readonly #world: World;
  readonly #process: SimulatedProcess;
  readonly #server: Server;
  readonly #ledger: Ledger;
  readonly #random: Random;
  /** The store that carries the calls out; it watches as well. */
  readonly #asked: Store;
  /** What this driver has stored: a request that is sent again is not stored twice. */
  readonly #stored = new WeakMap<Insert, Inserted<string>>();
  readonly #streams: Streams;

  constructor(
    process: SimulatedProcess,
    parts: { world: World; ledger: Ledger; server: Server; asked: Store },
    random: Random,
  ) {
    this.#process = process;
    this.#world = parts.world;
    this.#server = parts.server;
    this.#ledger = parts.ledger;
    this.#asked = parts.asked;
    this.#random = random;
    this.#streams = new Streams(parts.world, process.host, parts.asked, random);
    const calls = METHODS.map((method) => [method, (...args: never[]) => this.#call(method, args as never)]);
    this.store = {
      kind: 'simulated',
      payload: parts.asked.payload,
      // There are none in these histories; those of templates are in ../recurring, those of batches in ../workflow.
      recurring: parts.asked.recurring,
      batches: parts.asked.batches,
      parseId: (value: unknown) => parts.asked.parseId(value),
      isRefusal: () => false,
      watch: (observer) => this.#streams.watch(observer),
      ...(Object.fromEntries(calls) as Pick<Store, Method>),
    };
  }

  breakStreams(): void {
    this.#streams.breakAll();
  }

  #call<M extends Method>(method: M, args: Args<M>): Promise<Answer<M>> {
    const { host } = this.#process;
    const fate = this.#world.network.fateOf(this.#random);
    // A process that dies may have sent its request before.
    const outlives = this.#random.chance(0.5);
    if (fate.isTrouble) this.#process.troubled(fate.there + fate.back);
    this.inFlight += 1;
    return new Promise((resolve, reject) => {
      const answer = (how: () => void): void => {
        host.deliver(fate.back, () => {
          this.inFlight -= 1;
          how();
        });
      };
      const succeed = (value: Answer<M>): void => {
        this.#say(method, args, () => describeAnswer(method, value));
        answer(() => {
          this.#answered(method, args, value);
          resolve(value);
        });
      };
      const fail = (error: Error): void => {
        this.#say(method, args, error.message);
        answer(() => {
          this.#failed(method, args);
          reject(error);
        });
      };
      const arrive = (): void => {
        if (host.isDead && !outlives) return;
        const { network } = this.#world;
        if (network.isDown && network.outage.hanging) {
          const wait = network.outage.until - this.#world.now + fate.there;
          if (fate.isTrouble) this.#process.troubled(wait + fate.back);
          this.#world.timeline.after(wait, arrive);
        } else if (network.isDown) {
          fail(networkError('the store is out of reach'));
        } else if (fate.fault === 'request lost') {
          fail(networkError(fate.fault));
        } else {
          void this.#carryOut(method, args, fate.fault).then(
            (value) => (fate.fault === undefined ? succeed(value) : fail(errorOf(fate.fault))),
            fail,
          );
        }
      };
      this.#world.timeline.after(fate.there, arrive);
    });
  }

  async #carryOut<M extends Method>(method: M, args: Args<M>, fault: Fault | undefined): Promise<Answer<M>> {
    const done = fault === undefined ? args : partOf(method, args, this.#random);
    if (method === 'insert') return (await this.#insertOnce(done as Args<'insert'>)) as Answer<M>;
    return this.#server.carryOut(this.#process, method, done, this.#asked);
  }

  async #insertOnce([inserts, options]: Args<'insert'>): Promise<Inserted<string>[]> {
    const fresh = inserts.filter((insert) => !this.#stored.has(insert));
    const answers = await this.#server.carryOut(this.#process, 'insert', [fresh, options], this.#asked);
    for (const [index, answer] of answers.entries()) {
      const insert = fresh[index];
      if (insert !== undefined && answer.outcome === 'inserted') this.#stored.set(insert, answer);
    }
    return inserts.flatMap((insert) => this.#stored.get(insert) ?? answers[fresh.indexOf(insert)] ?? []);
  }

  /** Nobody knows of a claim whose answer was lost, and nobody gives back again what could not be given back. */
  #failed(method: Method, args: readonly unknown[]): void {
    if (method === 'claim') this.#ledger.orphan((args as Args<'claim'>)[0].token);
    if (method === 'release') {
      for (const { id, token } of (args as Args<'release'>)[0]) this.#ledger.orphan(token, [id]);
    }
  }

  #answered(method: Method, args: readonly unknown[], value: unknown): void {
    if (method !== 'settle') return;
    const [{ items }] = args as Args<'settle'>;
    for (const [index, { applied }] of (value as Answer<'settle'>).entries()) {
      const item = items[index];
      if (applied && item !== undefined) this.#ledger.tell(item.job._id, item.token);
    }
  }

  #say(method: Method, args: readonly unknown[], what: string | (() => string)): void {
    this.#world.say(this.#process.name, () => {
      const outcome = typeof what === 'string' ? what : what();
      return `${method}(${describeArgs(method, args)}) → ${outcome}`;
    });
  }
}
