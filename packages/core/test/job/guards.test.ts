import { describe, expect, test } from 'vitest';
import {
  isCancelledJob,
  isCompletedJob,
  isFailedJob,
  isPendingJob,
  isPersistedJob,
  isProcessingJob,
  isRecurringJob,
  isValidJobStatus,
} from '../../src/job/guards.js';
import type { Job } from '../../src/job/job.js';
import { JobStatus } from '../../src/job/status.js';

function job(fields: Record<string, unknown> = {}): Job<unknown, string> {
  const now = new Date();
  return {
    name: 'a',
    data: {},
    status: 'pending',
    nextRunAt: now,
    failCount: 0,
    createdAt: now,
    updatedAt: now,
    ...fields,
  };
}

test('a job is persisted when it has an id', () => {
  expect(isPersistedJob(job({ _id: 'x' }))).toBe(true);
  expect(isPersistedJob(job({ _id: 0 }))).toBe(true);
  expect(isPersistedJob(job({ _id: null }))).toBe(false);
  expect(isPersistedJob(job({ _id: undefined }))).toBe(false);
  expect(isPersistedJob(job())).toBe(false);
});

test('a job is recurring when it has a repeat interval', () => {
  expect(isRecurringJob(job({ repeatInterval: '* * * * *' }))).toBe(true);
  expect(isRecurringJob(job({ repeatInterval: '' }))).toBe(true);
  expect(isRecurringJob(job({ repeatInterval: null }))).toBe(false);
  expect(isRecurringJob(job())).toBe(false);
});

describe('guards of a status', () => {
  const guards = {
    pending: isPendingJob,
    processing: isProcessingJob,
    completed: isCompletedJob,
    failed: isFailedJob,
    cancelled: isCancelledJob,
  };

  test.each(Object.entries(guards))('%s is true for that status only', (status, guard) => {
    for (const each of Object.values(JobStatus)) expect(guard(job({ status: each }))).toBe(each === status);
  });

  test('answer false where there is no job', () => {
    for (const guard of [...Object.values(guards), isPersistedJob, isRecurringJob]) {
      expect([guard(null), guard(undefined)]).toEqual([false, false]);
    }
  });
});

test('exactly the eight statuses are valid', () => {
  expect(Object.values(JobStatus).every(isValidJobStatus)).toBe(true);
  expect(Object.values(JobStatus)).toHaveLength(8);
  for (const value of ['', 'PENDING', 'toString', null, undefined, 1, {}, ['pending']]) {
    expect(isValidJobStatus(value)).toBe(false);
  }
});
