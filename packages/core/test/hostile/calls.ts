import type { Monque } from '@monque/core';
import fc from 'fast-check';
import { hostile, list, type Maker, options, or } from './hostile-values.js';

const STATUSES = ['pending', 'failed', ['completed', 'failed']];
const DATE = new Date('2030-01-01T00:00:00Z');
const UNKNOWN_IDS = ['000000000000000000000000', '00000000-0000-7000-8000-000000000000'];

const enqueueOptions = options({
  runAt: or(DATE),
  delay: or(5),
  uniqueKey: or('key'),
  priority: or(3),
  maxRetries: or(2),
  timeout: or(1_000),
  hold: or(true),
  onDuplicate: or('replace'),
  session: or(undefined),
  parent: or(undefined),
  backoff: or({ type: 'fixed', delay: 5 }),
});
const selector = options({
  name: or('work'),
  status: or(...STATUSES),
  olderThan: or(DATE),
  newerThan: or(DATE),
});
const id = or(...UNKNOWN_IDS);
const batchId = or('unknown');
const items = list(options({ name: or('work'), data: or({ n: 1 }), options: enqueueOptions }));
const continueOptions = options({ on: or('any'), delay: or(5), priority: or(3), uniqueKey: or(undefined) });

/**
 * How each public method is called: hostile arguments, mixed with valid ones. An id is never that of a job that exists,
 * so what such a call answers is nothing.
 */
export const CALLS = {
  enqueue: fc.tuple(or('work'), or({ n: 1 }), enqueueOptions),
  now: fc.tuple(or('work'), or({ n: 1 })),
  enqueueMany: fc.tuple(items),
  schedule: fc.tuple(
    or('0 0 * * *'),
    or('work'),
    or({ n: 1 }),
    options({ uniqueKey: or('series'), timezone: or('Europe/Berlin'), maxRetries: or(2) }),
  ),
  register: fc.tuple(
    or('work'),
    or(() => {}),
    options({ concurrency: or(2), replace: or(true) }),
  ),
  worker: fc.tuple(
    or('work'),
    or(() => {}),
    options({ concurrency: or(2), replace: or(true) }),
  ),
  getJob: fc.tuple(id),
  getJobs: fc.tuple(options({ name: or('work'), status: or(...STATUSES), limit: or(10), skip: or(0) })),
  getJobsWithCursor: fc.tuple(
    options({
      cursor: or(null),
      limit: or(10),
      direction: or('forward'),
      filter: options({ name: or('work'), status: or(...STATUSES), createdAtFrom: or(DATE) }),
      sort: options({ by: or('createdAt'), direction: or('asc') }),
    }),
  ),
  getQueueStats: fc.tuple(options({ name: or('work') })),
  getQueueViewSummaries: fc.tuple(hostile),
  getJobLogs: fc.tuple(id),
  cancelJob: fc.tuple(id, options({ running: or(true) })),
  retryJob: fc.tuple(id),
  rescheduleJob: fc.tuple(id, or(DATE)),
  releaseJob: fc.tuple(id),
  deleteJob: fc.tuple(id),
  cancelJobs: fc.tuple(selector),
  retryJobs: fc.tuple(selector),
  deleteJobs: fc.tuple(selector),
  continueWith: fc.tuple(id, or('work'), or({ n: 1 }), continueOptions),
  enqueueBatch: fc.tuple(items, options({ id: or(undefined), name: or('Import') })),
  addToBatch: fc.tuple(batchId, items),
  continueBatchWith: fc.tuple(batchId, or('work'), or({ n: 1 }), continueOptions),
  getBatch: fc.tuple(batchId),
  listBatches: fc.tuple(options({ finished: or(true), limit: or(10), skip: or(0) })),
  cancelBatch: fc.tuple(batchId, options({ running: or(true) })),
  retryBatch: fc.tuple(batchId),
  getJobTree: fc.tuple(id, options({ limit: or(10) })),
  waitForJob: fc.tuple(id, options({ timeout: or(1), signal: or(new AbortController().signal) })),
} as const satisfies Partial<Record<keyof Monque, fc.Arbitrary<Maker[]>>>;

/** Methods that take nothing from their caller, or a listener only. */
export const WITHOUT_INPUT = [
  'recurring',
  'initialize',
  'start',
  'stop',
  'close',
  'isHealthy',
  'drain',
] as const satisfies readonly (keyof Monque)[];
