import type { EventEmitter } from 'node:events';
import type { Emit } from './engine/emit.js';
import { toError } from './job/thrown.js';

/**
 * Makes the function by which all parts of an instance tell of events.
 *
 * Each listener is called on its own: one that throws, or whose promise rejects, keeps neither the engine nor
 * the other listeners from going on. It is reported as `job:error`; a listener of `job:error` that fails has
 * nobody left to tell.
 */
export function isolatingEmit(emitter: Pick<EventEmitter, 'rawListeners'>): Emit {
  const emit: Emit = (event, ...payload) => {
    const failed = (thrown: unknown): void => {
      if (event !== 'job:error') emit('job:error', { error: toError(thrown) });
    };
    // Raw listeners: those of `once` remove themselves when they are called.
    for (const listener of emitter.rawListeners(event)) {
      try {
        const answer: unknown = Reflect.apply(listener, emitter, payload);
        if (typeof answer === 'object' && answer !== null) Promise.resolve(answer).catch(failed);
      } catch (error) {
        failed(error);
      }
    }
  };
  return emit;
}
