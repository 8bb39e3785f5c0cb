import { setTimeout } from 'node:timers/promises';
import type { Db } from 'mongodb';
import { Monque } from '../../../src/monque.js';
import type { Chance } from './chance.js';

/** What a job carries; see `fixtures/worker.ts`. */
export interface Work {
  readonly ms: number;
  readonly fails: number;
}

/** Calls of `enqueue` at the same time, each after the other's answer. */
const CALLERS = 4;
/** Longest pause of a caller between two calls, in milliseconds. */
const LONGEST_PAUSE_MS = 60;
const LONGEST_RUN_MS = 80;
const LONGEST_DELAY_MS = 800;

/** Enqueues jobs until it is stopped, and remembers those that the database has acknowledged. */
export class Producer implements AsyncDisposable {
  /** Ids of acknowledged jobs, and what they carry. */
  readonly acknowledged = new Map<string, Work>();
  /** Calls that failed: whether their jobs are stored is unknown. */
  refused = 0;
  readonly #monque: Monque;
  readonly #chance: Chance;
  #callers: Promise<void>[] = [];
  #stopped = false;

  constructor(db: Db, chance: Chance) {
    this.#monque = new Monque(db);
    this.#chance = chance;
  }

  async start(): Promise<void> {
    await this.#monque.initialize();
    this.#callers = Array.from({ length: CALLERS }, () => this.#call());
  }

  /** Stores jobs and waits until they are acknowledged, whoever else enqueues meanwhile. */
  async enqueue(count: number, work: Partial<Work> = {}): Promise<string[]> {
    await this.#monque.initialize();
    const data = { ms: 0, fails: 0, ...work };
    const jobs = await this.#monque.enqueueMany(
      Array.from({ length: count }, () => ({ name: 'work', data })),
    );
    const ids = jobs.map(({ _id }) => String(_id));
    for (const id of ids) this.acknowledged.set(id, data);
    return ids;
  }

  /** Resolves when this many are acknowledged. */
  async hasStored(count: number, deadlineMs = 60_000): Promise<void> {
    const deadline = performance.now() + deadlineMs;
    while (this.acknowledged.size < count) {
      if (performance.now() > deadline) throw new Error(`Fewer than ${count} jobs within ${deadlineMs} ms`);
      await setTimeout(10);
    }
  }

  /** Calls no more, and waits for the answers to those under way. */
  async stop(): Promise<void> {
    this.#stopped = true;
    await Promise.all(this.#callers);
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.stop();
    await this.#monque.close();
  }

  async #call(): Promise<void> {
    while (!this.#stopped) {
      const data = {
        ms: this.#chance.between(0, LONGEST_RUN_MS),
        fails: this.#chance.happens(0.1) ? 1 : 0,
      };
      const delay = this.#chance.happens(0.1) ? this.#chance.between(1, LONGEST_DELAY_MS) : 0;
      try {
        const { _id } = await this.#monque.enqueue('work', data, { delay });
        this.acknowledged.set(String(_id), data);
      } catch {
        this.refused++;
      }
      await setTimeout(this.#chance.between(0, LONGEST_PAUSE_MS));
    }
  }
}
