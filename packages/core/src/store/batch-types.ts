import type { JobStatus } from '../job/status.js';

/**
 * Members on their way into a batch. Nobody sees them until the fill is committed, which is one write however many they
 * are: so all of them come, or none. While a batch has a fill it is not complete.
 */
export interface BatchFill {
  /** What its members bear as `claimToken` until they are released. */
  readonly token: string;
  /** The last sign of life of the process that fills. */
  readonly at: Date;
  /**
   * `open`: members are being stored. `committed`: all are stored, and are being released. `undone`: given up; what was
   * stored is being removed.
   */
  readonly state: 'open' | 'committed' | 'undone';
  /** Whether the batch itself comes into being with this fill. */
  readonly isFirst?: true;
}

/** How a batch ended: `failed` where a member failed, else `cancelled` where one was cancelled. */
export type BatchOutcome = 'completed' | 'failed' | 'cancelled';

/** What is stored about a batch. Its members are jobs that bear its id; how many they are is not written anywhere. */
export interface BatchRecord {
  readonly id: string;
  readonly name?: string;
  readonly createdAt: Date;
  readonly updatedAt: Date;
  /** When a process first took one of its members. */
  readonly startedAt?: Date;
  /** When it was found complete, which says that its followers may go. Absent while it is open. */
  readonly finishedAt?: Date;
  /** Present together with `finishedAt`. */
  readonly outcome?: BatchOutcome;
  /** Counts writes: one that was made from an older version is refused. */
  readonly version: number;
  readonly fills: readonly BatchFill[];
}

/** A page of batches by age; those of the same age by id. */
export interface BatchPageRequest {
  /** Only those that are complete, or only those that are not. */
  readonly finished?: boolean;
  readonly direction: 'asc' | 'desc';
  /** Only batches that come after this one in the given direction. */
  readonly after?: Pick<BatchRecord, 'createdAt' | 'id'>;
  readonly skip?: number;
  readonly limit: number;
}

/** How many members of a batch have each status; statuses without members may be absent. */
export type MemberCounts = Readonly<Partial<Record<JobStatus, number>>>;

/** Where records of batches live, beside the jobs. */
export interface BatchStore {
  /** Stores a new record; false where the id is taken. */
  create(record: BatchRecord): Promise<boolean>;

  /** Reads records by id, in no particular order; those that do not exist are left out. */
  get(ids: readonly string[]): Promise<BatchRecord[]>;

  /** Reads a page of records. */
  page(request: BatchPageRequest): Promise<BatchRecord[]>;

  /**
   * Puts a record in the place of the stored one, if that is of the version just before; answers whether it was. This is
   * the only way in which a record changes, so of several who changed the same version one wins.
   */
  replace(record: BatchRecord): Promise<boolean>;

  /** Removes a record of exactly this version, and no job; answers whether it did. */
  remove(record: Pick<BatchRecord, 'id' | 'version'>): Promise<boolean>;

  /** Whether a batch has a member that is not final. Cheap however many it has, for it is asked often. */
  hasOpenMember(id: string): Promise<boolean>;

  /** Counts the members of batches by status, exactly, without reading jobs. A batch without members may be absent. */
  counts(ids: readonly string[]): Promise<ReadonlyMap<string, MemberCounts>>;
}
