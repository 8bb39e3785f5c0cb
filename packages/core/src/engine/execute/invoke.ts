import { JobTimeoutError } from '../../errors/operation-errors.js';
import { toError } from '../../job/thrown.js';
import type { Host } from '../host.js';
import type { Prepared } from './prepare.js';
import type { Run } from './run.js';

/** How a handler's call ended. */
export type HandlerResult =
  | { readonly type: 'returned'; readonly value: unknown }
  | { readonly type: 'thrown'; readonly error: Error }
  /** The payload does not fit the job's schema; the handler was not called. */
  | { readonly type: 'refused'; readonly error: Error }
  /** The run was taken away: cancelled, deleted, or claimed by another process. */
  | { readonly type: 'taken' };

/**
 * Calls the handler, whatever it does, and ends with its end, its timeout or the end of the run, whichever
 * comes first. A handler that goes on afterwards is let go: what it returns or throws is swallowed.
 */
export function invoke(run: Run, prepared: Prepared, host: Host): Promise<HandlerResult> {
  if (run.over) return Promise.resolve({ type: 'taken' });
  return new Promise((resolve) => {
    const { timeout } = prepared;
    const timer =
      timeout === undefined
        ? undefined
        : host.after(
            timeout,
            () => {
              const error = timeoutError(timeout);
              resolve({ type: 'thrown', error });
              run.end(error);
            },
            true,
          );
    const finish = (result: HandlerResult): void => {
      timer?.cancel();
      // Nothing of the call is kept until the outcome is stored: it would be most of what a run occupies.
      run.onEnd = undefined;
      resolve(result);
    };
    run.onEnd = () => finish({ type: 'taken' });
    call(run, prepared).then(
      (value) => finish({ type: 'returned', value }),
      (thrown: unknown) => finish({ type: 'thrown', error: toError(thrown) }),
    );
  });
}

/** Async, so that a handler that throws before it returns a promise is like one that rejects. */
async function call(run: Run, { job, context }: Prepared): Promise<unknown> {
  return run.worker.handler(job, context);
}

function timeoutError(timeout: number): JobTimeoutError {
  return new JobTimeoutError(
    `The run took longer than its timeout of ${timeout} ms. Raise the timeout, or make the handler faster and let it heed its signal`,
    timeout,
  );
}
