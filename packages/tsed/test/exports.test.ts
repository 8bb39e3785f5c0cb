import * as tsed from '@monque/tsed';
import { expect, test } from 'vitest';

test('the package exports exactly these values', () => {
  expect(Object.keys(tsed).sort()).toEqual([
    'Cron',
    'Job',
    'JobController',
    'MONQUE',
    'MONQUE_JOB',
    'MONQUE_JOB_CONTEXT',
    'MonqueModule',
    'MonqueService',
    'MonqueServices',
    'ProviderTypes',
    'Worker',
    'WorkerController',
    'buildJobName',
    'collectJobMetadata',
    'getJobToken',
    'resolveDatabase',
    'validateDatabaseConfig',
  ]);
});
