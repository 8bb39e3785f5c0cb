import {
  defineJob,
  InvalidJobIdentifierError,
  InvalidOptionError,
  Monque,
  memory,
  WorkerRegistrationError,
} from '@monque/core';
import { expect, test } from 'vitest';
import { memoryInstances } from './instances.js';

const make = memoryInstances();

test('a second worker of the same name is refused, and both names of the method share their workers', () => {
  const monque = new Monque(memory());
  monque.register('a', () => 1);
  expect(() => monque.worker('a', () => 2)).toThrow(WorkerRegistrationError);
});

test('a second worker takes the place of the first with replace', async () => {
  const monque = await make();
  monque.register('a', () => 'first');
  monque.worker('a', () => 'second', { replace: true });
  const { _id } = await monque.enqueue('a', null);
  await monque.drain();
  expect((await monque.getJob(_id))?.result).toBe('second');
});

test.each(['', 'with blank', 'x'.repeat(256)])('refuses the name %j', (name) => {
  expect(() => new Monque(memory()).register(name, () => 1)).toThrow(InvalidJobIdentifierError);
});

test('refuses a handler that is no function, and options that are wrong', () => {
  const monque = new Monque(memory());
  expect(() => monque.register('a', 'handler' as never)).toThrow(WorkerRegistrationError);
  expect(() => monque.register('a', () => 1, { concurrency: 0 })).toThrow(InvalidOptionError);
});

test('a worker that is registered after start gets jobs that wait, without a poll', async () => {
  const monque = await make({ pollInterval: 600_000, safetyPollInterval: 600_000 });
  monque.start();
  const { _id } = await monque.enqueue('late', null);
  monque.register('late', () => 'done');
  expect(await monque.waitForJob(_id, { timeout: 5_000 })).toMatchObject({ status: 'completed' });
});

test('concurrency comes from the worker, else from the definition, else from the instance', async () => {
  const monque = await make({ workerConcurrency: 7 });
  monque.register(defineJob('own', { concurrency: 2 }), () => 1, { concurrency: 3 });
  monque.register(defineJob('defined', { concurrency: 2 }), () => 1);
  monque.register('plain', () => 1);
  const views = await monque.getQueueViewSummaries();
  expect(Object.fromEntries(views.map(({ name, worker }) => [name, worker?.concurrency]))).toEqual({
    own: 3,
    defined: 2,
    plain: 7,
  });
});
