import type { Database } from './database.js';
import type { Dialect } from './dialect.js';
import type { Notices } from './notices.js';
import type { WaitingJobs } from './operations/waiting-jobs.js';
import type { TypeNames } from './rows/type-names.js';

/** What the operations of an open store work on. */
export interface SqlContext {
  readonly dialect: Dialect;
  readonly database: Database;
  readonly names: TypeNames;
  readonly notices: Notices;
  readonly waiting: WaitingJobs;
  /** Whether this is within a transaction of the user's, in which reads may show the past. */
  readonly inUserTransaction?: true;
}
