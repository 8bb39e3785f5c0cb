import * as core from '@monque/core';
import { expect, test } from 'vitest';

test('the package exports exactly these values', () => {
  expect(Object.keys(core).sort()).toEqual([
    'AggregationTimeoutError',
    'BatchFinishedError',
    'BatchNotFoundError',
    'CancelRun',
    'ConnectionError',
    'CursorDirection',
    'DEFAULT_BASE_INTERVAL',
    'DEFAULT_JITTER_FACTOR',
    'DEFAULT_MAX_BACKOFF_DELAY',
    'DuplicateBatchError',
    'DuplicateJobError',
    'InvalidCronError',
    'InvalidCursorError',
    'InvalidJobIdentifierError',
    'InvalidOptionError',
    'InvalidPayloadError',
    'InvalidSelectorError',
    'JobCursorSortDirection',
    'JobCursorSortField',
    'JobStateError',
    'JobStatus',
    'JobTimeoutError',
    'LowWaterMark',
    'MAX_LOG_ENTRIES',
    'Monque',
    'MonqueError',
    'ParentNotFoundError',
    'PayloadTooLargeError',
    'PermanentError',
    'RetryAfter',
    'RunAbortedError',
    'ShutdownTimeoutError',
    'WaitTimeoutError',
    'WatchUnsupportedError',
    'WorkerRegistrationError',
    'applyJitter',
    'calculateBackoff',
    'calculateBackoffDelay',
    'changeableStatuses',
    'defineJob',
    'getNextCronDate',
    'isCancelledJob',
    'isCompletedJob',
    'isFailedJob',
    'isPendingJob',
    'isPersistedJob',
    'isProcessingJob',
    'isRecurringJob',
    'isValidJobStatus',
    'memory',
    'validateCronExpression',
    'validateJobName',
    'validateUniqueKey',
  ]);
});

test('constants have the values that callers may have stored', () => {
  expect(core.JobStatus).toEqual({
    PENDING: 'pending',
    PROCESSING: 'processing',
    COMPLETED: 'completed',
    FAILED: 'failed',
    CANCELLED: 'cancelled',
    CREATED: 'created',
    AWAITING_CONTINUATION: 'awaiting-continuation',
    AWAITING_BATCH: 'awaiting-batch',
  });
  expect(core.CursorDirection).toEqual({ FORWARD: 'forward', BACKWARD: 'backward' });
  expect(core.JobCursorSortField).toEqual({
    IDENTIFIER: 'identifier',
    CREATED_AT: 'createdAt',
    UPDATED_AT: 'updatedAt',
    NEXT_RUN_AT: 'nextRunAt',
  });
  expect(core.JobCursorSortDirection).toEqual({ ASC: 'asc', DESC: 'desc' });
});
