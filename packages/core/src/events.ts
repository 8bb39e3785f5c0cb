import type { ObjectId } from 'mongodb';
import type { PersistedJob } from './job/job.js';
import type { JobStatus } from './job/status.js';
import type { Batch } from './workflow/batch.js';

/** Events of a Monque instance and what their listeners get. Each fires after the write that it tells of. */
export interface MonqueEventMap<Id = ObjectId> {
  /** A handler is about to be called. */
  'job:start': [job: PersistedJob<unknown, Id>];
  /** A run succeeded; `duration` in milliseconds. */
  'job:complete': [event: { job: PersistedJob<unknown, Id>; duration: number }];
  /** A run failed. */
  'job:fail': [event: { job: PersistedJob<unknown, Id>; error: Error; willRetry: boolean }];
  /** A run asked to be tried again later, which is no failure. */
  'job:snoozed': [event: { job: PersistedJob<unknown, Id>; until: Date }];
  /** Anything unexpected that is no failure of a handler. */
  'job:error': [event: { error: Error; job?: PersistedJob<unknown, Id> }];
  /** A recurring template made a job for a time of its schedule, or for now where it was triggered. */
  'recurring:fired': [event: { id: string; job: PersistedJob<unknown, Id>; at: Date }];
  /** A recurring template cannot fire; told once until it is changed. The others go on. */
  'recurring:error': [event: { id: string; error: Error }];
  /** Every member of a batch is final. Told by the process that found it, once. */
  'batch:complete': [event: { batch: Batch }];
  /** Jobs of dead processes were given back. */
  'stale:recovered': [event: { count: number }];
  /** A job was cancelled. */
  'job:cancelled': [event: { job: PersistedJob<unknown, Id> }];
  /** A failed or cancelled job was set to run again. */
  'job:retried': [event: { job: PersistedJob<unknown, Id>; previousStatus: JobStatus }];
  /** A job was removed; its id as text. */
  'job:deleted': [event: { jobId: string }];
  /** A bulk call cancelled jobs. */
  'jobs:cancelled': [event: { count: number }];
  /** A bulk call set jobs to run again. */
  'jobs:retried': [event: { count: number }];
  /** A bulk call removed jobs. */
  'jobs:deleted': [event: { count: number }];
  /** Changes made by other processes are seen at once from now on. */
  'changestream:connected': [];
  /** The stream of changes was closed by `stop()`. */
  'changestream:closed': [];
  /** No stream can be had; polling takes its place. */
  'changestream:fallback': [event: { reason: string }];
  /** The stream broke; it is opened again, and polling bridges the gap. */
  'changestream:error': [event: { error: Error }];
}
