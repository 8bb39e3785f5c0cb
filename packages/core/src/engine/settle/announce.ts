import type { Settled } from '../../store/settle-types.js';
import type { EngineParts } from '../engine-types.js';
import type { Pending } from './settler.js';

/** Tells listeners what became of a run. Called after the outcome is stored, and only if it was. */
export function announce({ executed }: Pending, { job }: Settled, { emit }: EngineParts): void {
  const { outcome, duration, error } = executed;
  switch (outcome.type) {
    case 'completed':
    case 'repeat':
      emit('job:complete', { job, duration });
      break;
    case 'retry':
    case 'failed':
      emit('job:fail', {
        job,
        error: error ?? new Error(outcome.reason),
        willRetry: outcome.type === 'retry',
      });
      break;
    case 'cancelled':
      emit('job:cancelled', { job });
      break;
    case 'snoozed':
      emit('job:snoozed', { job, until: outcome.nextRunAt });
      break;
  }
}
