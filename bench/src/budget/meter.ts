import { type Db, MongoClient } from 'mongodb';
import { CommandCounter } from './command-counter.js';
import { type Counts, sumCounts } from './counts.js';
import type { OperationKind } from './operation-kind.js';
import { Profiler } from './profiler.js';

/** What was counted, by what it was for. */
export type Tally = (kind: OperationKind | 'all') => Counts;

/** Counts what work on a database costs, on the wire and in the server. */
export class Meter {
  /** A client whose commands are counted. */
  readonly client: MongoClient;
  readonly db: Db;
  readonly #observer: MongoClient;
  readonly #profiler: Profiler;

  constructor(uri: string, databaseName: string) {
    this.client = new MongoClient(uri, { monitorCommands: true });
    this.db = this.client.db(databaseName);
    // A client of its own: what it asks is no part of the work.
    this.#observer = new MongoClient(uri);
    this.#profiler = new Profiler(this.#observer.db(databaseName));
  }

  /**
   * Counts what happens to a collection while the work lasts.
   *
   * @param work - May call what it is given, to count commands and statements only from then on.
   */
  async count(collection: string, work: (warmedUp: () => void) => Promise<void>): Promise<Tally> {
    await this.#profiler.start();
    const counter = new CommandCounter(this.client);
    await work(() => counter.restart());
    const sent = counter.end();
    const operations = [...sent, ...(await this.#profiler.end(collection))];
    return (kind) =>
      sumCounts(operations.filter((one) => kind === 'all' || one.kind === kind).map(({ counts }) => counts));
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await Promise.all([this.client.close(), this.#observer.close()]);
  }
}
