import { expect, test } from 'vitest';
import { z } from 'zod';
import { InvalidJobIdentifierError, InvalidOptionError } from '../../src/errors/input-errors.js';
import { defineJob, isJobDefinition } from '../../src/job/definition.js';

test('a definition holds what was given, and nothing else', () => {
  expect(defineJob('mail')).toEqual({ name: 'mail' });
  expect(defineJob('mail', {})).toEqual({ name: 'mail' });
  const schema = z.object({ to: z.string() });
  const options = {
    schema,
    maxRetries: 5,
    backoff: { type: 'fixed', delay: 10 },
    timeout: 1_000,
    priority: -2,
    concurrency: 3,
  } as const;
  expect(defineJob('mail', options)).toEqual({ name: 'mail', ...options });
  expect(defineJob('mail', options).schema).toBe(schema);
});

test('a definition cannot be changed, nor through what it was made from', () => {
  const backoff = { type: 'fixed', delay: 10 } as const;
  const definition = defineJob('mail', { backoff });
  Object.assign(backoff, { delay: 99 });
  expect(definition.backoff).toEqual({ type: 'fixed', delay: 10 });
  expect(Object.isFrozen(definition)).toBe(true);
  expect(Object.isFrozen(definition.backoff)).toBe(true);
});

test('maxRetries 0 means one attempt', () => {
  expect(defineJob('mail', { maxRetries: 0 }).maxRetries).toBe(1);
});

test('a bad name is refused where the job is defined', () => {
  for (const name of ['', 'send mail', undefined, 5]) {
    expect(() => defineJob(name as string)).toThrow(InvalidJobIdentifierError);
  }
});

test.each<[string, unknown]>([
  ['maxRetries', -1],
  ['maxRetries', 1.5],
  ['timeout', 0],
  ['timeout', Number.POSITIVE_INFINITY],
  ['priority', '1'],
  ['priority', 0.5],
  ['concurrency', 0],
  ['schema', {}],
  ['schema', { '~standard': {} }],
  ['schema', 'zod'],
  ['backoff.type', { type: 'random' }],
  ['backoff.delay', { type: 'fixed', delay: -1 }],
  ['backoff.jitter', { type: 'fixed', jitter: 2 }],
  ['backoff.every', { type: 'fixed', every: 5 }],
  ['uniqueKey', 'x'],
])('a bad value of %s is refused: %o', (option, value) => {
  const key = option.split('.')[0] ?? '';
  const options = { [key]: value };
  expect(() => defineJob('mail', options as never)).toThrow(InvalidOptionError);
  expect(() => defineJob('mail', options as never)).toThrow(expect.objectContaining({ option }));
});

test('a definition is recognised, also one of another copy of the package', async () => {
  expect(isJobDefinition(defineJob('mail'))).toBe(true);
  for (const value of ['mail', null, undefined, { name: 'mail' }, [], () => 1]) {
    expect(isJobDefinition(value)).toBe(false);
  }
  expect(isJobDefinition({ ...defineJob('mail') })).toBe(false);
  // A query makes it another module.
  const copy = (await import('../../src/job/definition.js?copy' as string)) as {
    defineJob: typeof defineJob;
  };
  expect(copy.defineJob).not.toBe(defineJob);
  expect(isJobDefinition(copy.defineJob('mail'))).toBe(true);
});
