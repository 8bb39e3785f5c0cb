import type { JobStore, StoredTemplate } from '@monque/core';

/** Fields of a recurring template that others write; one that is undefined is taken away. */
export type TemplateFields = {
  readonly [Field in Exclude<keyof StoredTemplate, 'id' | 'planned' | 'lastJobId'>]?:
    | StoredTemplate[Field]
    | undefined;
};

/** A database of its own for one group of tests. */
export interface ConformanceDatabase {
  /**
   * Makes a store object on this database, as one more process would. The suite opens it before use and closes
   * it afterwards. A store that lives in one object only may answer the same one each time.
   */
  connect(): Promise<JobStore>;

  /** Removes all jobs, logs, batches and templates; called before each test. */
  clear(): Promise<void>;

  /**
   * Stores a document as it is, the way another program would have written it, and answers its id. The fields
   * are those of a `Job`; any of them may be missing, and those of a claim may be null.
   */
  write(document: Record<string, unknown>): Promise<unknown>;

  /**
   * Writes fields of a recurring template as they are, the way another program or a person would: of one that exists
   * only these change, and a new one gets besides only what the database insists on. `unreadable` asks for a payload
   * that cannot be read, where there is such a thing.
   */
  writeTemplate(id: string, fields: TemplateFields): Promise<void>;

  /** Ends it, and whatever stands behind it. */
  drop(): Promise<void>;

  /** Begins a transaction of the user's own; leave it out where the database has none. */
  begin?(): Promise<ConformanceTransaction>;
}

/** A transaction that the user has begun. */
export interface ConformanceTransaction {
  /** What a user passes as `session`. */
  readonly session: unknown;
  commit(): Promise<void>;
  abort(): Promise<void>;
}

/** What the suite is to test. */
export interface ConformanceSubject {
  /** Makes an empty database. */
  create(): Promise<ConformanceDatabase>;

  /**
   * Whether `watch` works here. False asks for `WatchUnsupportedError` instead, as on a standalone MongoDB.
   *
   * @defaultValue true
   */
  readonly watch?: boolean;

  /**
   * Whether `begin` works here. `exclusive` where the user and the stores share one connection, so that everybody else
   * waits until the transaction has ended.
   *
   * @defaultValue false
   */
  readonly transactions?: boolean | 'exclusive';
}
