/** What becomes of times that passed while nothing ran. */
export type Misfire = 'skip' | 'once' | 'all';

/** The cron text of a template and the zone in which it is read. */
export interface TemplateSchedule {
  readonly cron: string;
  readonly timezone: string;
}

/**
 * A template as a store holds it. Any tool may have written it, so that neither its cron text nor its zone, name or
 * payload is known to be good.
 */
export interface StoredTemplate<Id = unknown> extends TemplateSchedule {
  /** The given id. */
  readonly id: string;
  /** Name of the jobs that it makes. */
  readonly name: string;
  /** Their payload; null where it has none. */
  readonly data: unknown;
  /** Zone of the cron text; `UTC` where none is stored. */
  readonly timezone: string;
  /** Attempts of its jobs, where they differ from the default. */
  readonly maxRetries?: number;
  /** `once` where none is stored. */
  readonly misfire: Misfire;
  readonly enabled: boolean;
  /** The next time; absent where nobody has computed it yet. */
  readonly nextExecution?: Date;
  /** The time of the latest job that it made. */
  readonly lastExecution?: Date;
  /** The latest job that it made. */
  readonly lastJobId?: Id;
  /** What `nextExecution` was computed from. Where that is not what stands there now, somebody changed it by hand. */
  readonly planned?: TemplateSchedule;
  readonly createdAt: Date;
  readonly updatedAt: Date;
  /** Why it cannot be read in full, such as a payload that is no JSON. */
  readonly unreadable?: string;
}

/** A template that is new, or that takes the place of the one with its id; all of it has been checked. */
export interface TemplateChange extends TemplateSchedule {
  readonly id: string;
  readonly name: string;
  readonly data: unknown;
  readonly maxRetries?: number;
  readonly misfire: Misfire;
  /** Absent: it stays as it is, and a new one is enabled. */
  readonly enabled?: boolean;
  /** By this very cron text and zone. Absent: it stays as it is. */
  readonly nextExecution?: Date;
  /** Stored as `updatedAt`, and as `createdAt` of a new one. */
  readonly at: Date;
}

/** A step of a template to its next time. */
export interface TemplateStep<Id = unknown> {
  /** As it was read: where its next time, cron text or zone has changed since, the step is not made. */
  readonly template: StoredTemplate<Id>;
  /** The next time, by the cron text and zone as they were read. */
  readonly next: Date;
  /** The time and the id of the latest job that was made; absent where none was. */
  readonly last?: { readonly at: Date; readonly jobId: Id };
}

/** Which templates are worth a look. */
export interface DueTemplatesRequest {
  /** Those with a next time up to this one. */
  readonly until: Date;
  readonly limit: number;
  /** Only those whose ids come after this one. */
  readonly after?: string;
}

/**
 * Where recurring templates live. Every method may be called by any number of processes at once, while people
 * change templates by hand.
 */
export interface RecurringStore<Id = unknown> {
  /** Stores a template, or changes the one with its id; answers it as it is now. */
  put(change: TemplateChange): Promise<StoredTemplate<Id>>;

  /** Reads one; undefined where there is none. */
  get(id: string): Promise<StoredTemplate<Id> | undefined>;

  /** Reads all, in the order of their ids. */
  list(): Promise<StoredTemplate<Id>[]>;

  /**
   * Lets a template rest, or fire again from `resumeAt` on; answers it as it is now, or undefined where there is
   * none, or where it does so already.
   */
  setEnabled(id: string, resumeAt: Date | false, at: Date): Promise<StoredTemplate<Id> | undefined>;

  /** Removes one; answers whether there was one. */
  remove(id: string): Promise<boolean>;

  /**
   * The enabled templates that need a look until then, in the order of their ids: those without a next time, those
   * whose next time comes, and those whose next time was not computed from their cron text and zone as they are now.
   */
  due(request: DueTemplatesRequest): Promise<StoredTemplate<Id>[]>;

  /**
   * Moves templates on, each only if it has not changed meanwhile: of several processes that fire a template at
   * the same time, one makes the step.
   */
  advance(steps: readonly TemplateStep<Id>[]): Promise<void>;

  /** Notes a job that was made beside the schedule. */
  noteFired(id: string, last: { readonly at: Date; readonly jobId: Id }): Promise<void>;
}
