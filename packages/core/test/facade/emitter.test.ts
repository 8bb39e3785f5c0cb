import { EventEmitter } from 'node:events';
import { expect, test, vi } from 'vitest';
import { isolatingEmit } from '../../src/emitter.js';

const BROKEN = new Error('The listener is broken');

test('a listener that throws keeps no other listener from being called', () => {
  const emitter = new EventEmitter();
  const emit = isolatingEmit(emitter);
  const other = vi.fn();
  emitter.on('stale:recovered', () => {
    throw BROKEN;
  });
  emitter.on('stale:recovered', other);
  emit('stale:recovered', { count: 1 });
  expect(other).toHaveBeenCalledExactlyOnceWith({ count: 1 });
});

test('a listener that throws is reported as job:error', () => {
  const emitter = new EventEmitter();
  const emit = isolatingEmit(emitter);
  const errors = vi.fn();
  emitter.on('job:error', errors);
  emitter.on('stale:recovered', () => {
    throw BROKEN;
  });
  emit('stale:recovered', { count: 1 });
  expect(errors).toHaveBeenCalledExactlyOnceWith({ error: BROKEN });
});

test('a listener whose promise rejects is reported as job:error', async () => {
  const emitter = new EventEmitter();
  const emit = isolatingEmit(emitter);
  const reported = new Promise((resolve) => emitter.once('job:error', resolve));
  emitter.on('stale:recovered', async () => {
    throw BROKEN;
  });
  emit('stale:recovered', { count: 1 });
  await expect(reported).resolves.toEqual({ error: BROKEN });
});

test('a listener of job:error that throws is not told of itself', () => {
  const emitter = new EventEmitter();
  const emit = isolatingEmit(emitter);
  const errors = vi.fn(() => {
    throw BROKEN;
  });
  emitter.on('job:error', errors);
  emit('job:error', { error: new Error('first') });
  expect(errors).toHaveBeenCalledTimes(1);
});

test('a listener registered with once is called once', () => {
  const emitter = new EventEmitter();
  const emit = isolatingEmit(emitter);
  const listener = vi.fn();
  emitter.once('stale:recovered', listener);
  emit('stale:recovered', { count: 1 });
  emit('stale:recovered', { count: 2 });
  expect(listener).toHaveBeenCalledExactlyOnceWith({ count: 1 });
});

test('job:error needs no listener', () => {
  const emit = isolatingEmit(new EventEmitter());
  expect(() => emit('job:error', { error: BROKEN })).not.toThrow();
});
