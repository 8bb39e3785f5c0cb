import type { JobStore } from '@monque/core';
import { afterAll, afterEach, beforeAll, beforeEach, describe } from 'vitest';
import type {
  ConformanceDatabase,
  ConformanceSubject,
  ConformanceTransaction,
  TemplateFields,
} from './subject.js';

/** What a test works on: an empty database, and as many store objects on it as it asks for. */
export class Bench {
  readonly subject: ConformanceSubject;
  #database: ConformanceDatabase | undefined;
  #store: JobStore | undefined;
  #connected: JobStore[] = [];

  constructor(subject: ConformanceSubject) {
    this.subject = subject;
  }

  get database(): ConformanceDatabase {
    if (this.#database === undefined) throw new Error('The database is there while tests run only');
    return this.#database;
  }

  /** The store under test, open. */
  get store(): JobStore {
    if (this.#store === undefined) throw new Error('The store is there while a test runs only');
    return this.#store;
  }

  /** Another process's view of the same database. */
  async connect(): Promise<JobStore> {
    const store = await this.database.connect();
    this.#connected.push(store);
    await store.open({ collectionName: 'monque_jobs', skipIndexCreation: false, retention: false });
    return store;
  }

  /** Begins a transaction of the user's own. */
  async beginTransaction(): Promise<ConformanceTransaction> {
    const transaction = await this.database.begin?.();
    if (transaction === undefined) throw new Error('The subject promises transactions and has no begin()');
    return transaction;
  }

  /** Writes fields of a recurring template the way another program would. */
  async writeTemplate(id: string, fields: TemplateFields): Promise<void> {
    await this.database.writeTemplate(id, fields);
  }

  async create(): Promise<void> {
    this.#database = await this.subject.create();
  }

  async begin(): Promise<void> {
    await this.database.clear();
    this.#store = await this.connect();
  }

  async end(): Promise<void> {
    const connected = this.#connected;
    this.#connected = [];
    this.#store = undefined;
    for (const store of connected) await store.close();
  }

  async drop(): Promise<void> {
    await this.#database?.drop();
  }
}

/** A group of tests with a database of its own, which is empty at the start of each. */
export function suite(subject: ConformanceSubject, title: string, body: (bench: Bench) => void): void {
  describe(title, () => {
    const bench = new Bench(subject);
    beforeAll(() => bench.create());
    beforeEach(() => bench.begin());
    afterEach(() => bench.end());
    afterAll(() => bench.drop());
    body(bench);
  });
}
