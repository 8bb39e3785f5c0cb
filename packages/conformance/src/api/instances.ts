import { type JobStore, Monque, type MonqueOptions, type PersistedJob } from '@monque/core';
import { afterEach } from 'vitest';
import { type Bench, suite } from '../bench.js';
import type { ConformanceSubject, ConformanceTransaction, TemplateFields } from '../subject.js';

/** A stored job, whatever its payload and kind of id. */
export type AnyJob = PersistedJob<unknown, unknown>;

/** Makes instances that share one database, and ends them with their test. */
export class Instances {
  readonly #bench: Bench;
  #open: Monque<unknown>[] = [];

  constructor(bench: Bench) {
    this.#bench = bench;
  }

  get subject(): ConformanceSubject {
    return this.#bench.subject;
  }

  /** The store behind the instances, for looking at documents. */
  get store(): JobStore {
    return this.#bench.store;
  }

  /** A store of another process, as an instance would get it. */
  connect(): Promise<JobStore> {
    return this.#bench.database.connect();
  }

  /** An instance on a store of the test's own; it has not been initialised. */
  on(store: JobStore, options?: MonqueOptions): Monque<unknown> {
    const monque = new Monque<unknown>(store, options);
    this.#open.push(monque);
    return monque;
  }

  /** An instance that has not been initialised. */
  async fresh(options?: MonqueOptions): Promise<Monque<unknown>> {
    return this.on(await this.connect(), options);
  }

  /** An initialised instance. */
  async monque(options?: MonqueOptions): Promise<Monque<unknown>> {
    const monque = await this.fresh(options);
    await monque.initialize();
    return monque;
  }

  /** Begins a transaction of the user's own. */
  begin(): Promise<ConformanceTransaction> {
    return this.#bench.beginTransaction();
  }

  /** Stores a document as another program would, pending unless it says otherwise, without what is undefined. */
  async write(document: Record<string, unknown>): Promise<string> {
    const now = await this.store.now();
    const complete = {
      name: 'work',
      data: {},
      status: 'pending',
      failCount: 0,
      createdAt: now,
      updatedAt: now,
    };
    const given = Object.entries({ ...complete, ...document }).filter(([, value]) => value !== undefined);
    return String(await this.#bench.database.write(Object.fromEntries(given)));
  }

  /** Writes fields of a recurring template the way another program would. */
  writeTemplate(id: string, fields: TemplateFields): Promise<void> {
    return this.#bench.writeTemplate(id, fields);
  }

  /** Reads a job that must exist, as it is stored. */
  async stored(job: { _id: unknown } | string): Promise<AnyJob> {
    const id = this.store.parseId(typeof job === 'string' ? job : job._id);
    const [found] = await this.store.get([id]);
    if (found === undefined) throw new Error(`There is no job ${String(id)}`);
    return found;
  }

  /** How many jobs are stored. */
  async count(): Promise<number> {
    const { byStatus } = await this.store.counts();
    return Object.values(byStatus).reduce((sum, count) => sum + count, 0);
  }

  async closeAll(): Promise<void> {
    const open = this.#open;
    this.#open = [];
    await Promise.all(open.map((monque) => monque.close()));
  }
}

/** A group of tests on instances that share one database, which is empty at the start of each. */
export function apiSuite(
  subject: ConformanceSubject,
  title: string,
  body: (instances: Instances) => void,
): void {
  suite(subject, title, (bench) => {
    const instances = new Instances(bench);
    afterEach(() => instances.closeAll());
    body(instances);
  });
}
