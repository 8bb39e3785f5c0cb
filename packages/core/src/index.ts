export type { DrainResult } from './engine/engine-types.js';
export {
  InvalidCronError,
  InvalidCursorError,
  InvalidJobIdentifierError,
  InvalidOptionError,
  InvalidPayloadError,
  InvalidSelectorError,
  type PayloadIssue,
  PayloadTooLargeError,
  WorkerRegistrationError,
} from './errors/input-errors.js';
export { MonqueError, type MonqueErrorOptions } from './errors/monque-error.js';
export {
  AggregationTimeoutError,
  ConnectionError,
  JobTimeoutError,
  RunAbortedError,
  type RunAbortReason,
  ShutdownTimeoutError,
  WaitTimeoutError,
  WatchUnsupportedError,
} from './errors/operation-errors.js';
export { DuplicateJobError, type JobAction, JobStateError } from './errors/state-errors.js';
export { CancelRun, PermanentError, RetryAfter } from './errors/steering.js';
export {
  BatchFinishedError,
  BatchNotFoundError,
  DuplicateBatchError,
  ParentNotFoundError,
} from './errors/workflow-errors.js';
export type { MonqueEventMap } from './events.js';
export type { CheckedItems, EnqueueItem, ItemData, JobsOf } from './intake/enqueue-many.js';
export {
  applyJitter,
  calculateBackoff,
  calculateBackoffDelay,
  DEFAULT_BASE_INTERVAL,
  DEFAULT_JITTER_FACTOR,
  DEFAULT_MAX_BACKOFF_DELAY,
} from './job/backoff.js';
export type { BackoffOptions } from './job/backoff-options.js';
export { getNextCronDate, validateCronExpression } from './job/cron.js';
export {
  defineJob,
  type JobDefinition,
  type JobDefinitionOptions,
  type SchemaJobDefinitionOptions,
} from './job/definition.js';
export type {
  ContinueOn,
  ContinueOptions,
  EnqueueOptions,
  JobParent,
  ScheduleOptions,
} from './job/enqueue-options.js';
export {
  isCancelledJob,
  isCompletedJob,
  isFailedJob,
  isPendingJob,
  isPersistedJob,
  isProcessingJob,
  isRecurringJob,
  isValidJobStatus,
} from './job/guards.js';
export type {
  BackoffFunction,
  FollowedBatch,
  JobContext,
  JobHandler,
  ParentOutcome,
  WorkerOptions,
} from './job/handler.js';
export { validateJobName, validateUniqueKey } from './job/identifiers.js';
export type { Job, JobProgress, PersistedJob } from './job/job.js';
export type { SchemaInput, SchemaOutput, StandardSchemaV1 } from './job/standard-schema.js';
export { JobStatus, type JobStatusType } from './job/status.js';
export type { BulkOperationResult } from './manage/bulk-actions.js';
export {
  CursorDirection,
  type CursorOptions,
  type CursorPage,
  type JobCursorFilter,
  type JobCursorSort,
  JobCursorSortDirection,
  JobCursorSortField,
} from './manage/cursor-types.js';
export type { GetJobsFilter } from './manage/get-jobs.js';
export type { CancelJobOptions } from './manage/job-actions.js';
export type { QueueViewSummary, QueueViewWorkerSummary } from './manage/queue-views.js';
export type { JobSelector } from './manage/selector.js';
export type { QueueStats } from './manage/stats.js';
export type { WaitForJobOptions } from './manage/wait-for-job.js';
export { Monque } from './monque.js';
export type { JobRetention, MonqueOptions } from './options/monque-options.js';
export type { Recurring } from './recurring/recurring.js';
export type {
  DefinedRecurringOptions,
  RecurringOptions,
  RecurringSummary,
  RecurringTemplate,
} from './recurring/recurring-types.js';
export type {
  BatchFill,
  BatchOutcome,
  BatchPageRequest,
  BatchRecord,
  BatchStore,
  MemberCounts,
} from './store/batch-types.js';
export { type Change, type Changed, changeableStatuses } from './store/change-types.js';
export type {
  ClaimRequest,
  ClaimResult,
  HeldClaim,
  LostClaim,
  RecoverRequest,
  Want,
} from './store/claim-types.js';
export type { Insert, Inserted, InsertOptions, NewJob } from './store/insert-types.js';
export { type JobLogEntry, MAX_LOG_ENTRIES, type NewLogEntry } from './store/log-types.js';
export { type DueAnswer, LowWaterMark } from './store/low-water-mark.js';
export { type MemoryStoreOptions, memory } from './store/memory/memory-store.js';
export type { JobStore } from './store/port.js';
export type {
  JobFilter,
  JobPageRequest,
  PageKey,
  PagePosition,
  StatusCounts,
  StatusCountsByName,
  StoredJob,
  TimeRange,
} from './store/query-types.js';
export type {
  DueTemplatesRequest,
  Misfire,
  RecurringStore,
  StoredTemplate,
  TemplateChange,
  TemplateSchedule,
  TemplateStep,
} from './store/recurring-types.js';
export type { Outcome, SettleBatch, Settled, Settlement } from './store/settle-types.js';
export type { PayloadRules, StoreOptions } from './store/store-options.js';
export type { Subscription, WatchObserver } from './store/watch-types.js';
export type { Batch, BatchCounts } from './workflow/batch.js';
export type { EnqueueBatchOptions } from './workflow/batch-input.js';
export type { EnqueuedBatch } from './workflow/enqueue-batch.js';
export type { JobTree, JobTreeNode, JobTreeOptions } from './workflow/job-tree.js';
export type { ListBatchesOptions } from './workflow/read-batches.js';
