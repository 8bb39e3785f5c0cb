import type { ObjectId, UpdateFilter } from 'mongodb';
import type { NewJob } from '../../store/insert-types.js';
import type { JobDocument } from './job-document.js';

/** Fields that a job has only where they were given. */
const OPTIONAL_FIELDS = [
  'repeatInterval',
  'timezone',
  'priority',
  'maxRetries',
  'backoff',
  'timeout',
  'recurringId',
] as const satisfies readonly (keyof NewJob)[];

/** The same for what ties a job to others, which it keeps for good. */
const LINK_FIELDS = [
  'parentJobId',
  'batchId',
  'awaitsBatchId',
  'continueOn',
  'claimToken',
] as const satisfies readonly (keyof NewJob)[];

/** The document of a new job: what is not given is absent, so that it looks like the specification's samples. */
export function newDocument(id: ObjectId, job: NewJob): JobDocument {
  return {
    _id: id,
    name: job.name,
    data: job.data,
    status: job.status,
    nextRunAt: job.nextRunAt,
    failCount: 0,
    ...(job.uniqueKey === undefined ? {} : { uniqueKey: job.uniqueKey }),
    ...given(job, [...OPTIONAL_FIELDS, ...LINK_FIELDS]),
    createdAt: job.createdAt,
    updatedAt: job.createdAt,
  };
}

/** Puts a new job into the place of a waiting one: it starts afresh, and only its id and age stay. */
export function replacement(job: NewJob): UpdateFilter<JobDocument> {
  const options = given(job, OPTIONAL_FIELDS);
  const gone = OPTIONAL_FIELDS.filter((field) => !(field in options));
  return {
    $set: { data: job.data, nextRunAt: job.nextRunAt, failCount: 0, updatedAt: job.createdAt, ...options },
    $unset: Object.fromEntries([...gone, 'failReason', 'progress', 'result'].map((field) => [field, 1])),
  };
}

function given(job: NewJob, fields: readonly (keyof NewJob)[]): Partial<JobDocument> {
  return Object.fromEntries(
    fields.flatMap((field) => (job[field] === undefined ? [] : [[field, job[field]]])),
  );
}
