import type { JobContext, PersistedJob } from '@monque/core';
import { DIContext, getAsyncStore, inject, logger, runInContext } from '@tsed/di';
import { MONQUE_JOB, MONQUE_JOB_CONTEXT } from '../constants.js';
import type { Handler } from './find-handlers.js';
import { logJobError } from './log-job-error.js';

/**
 * Runs one job in a DI context of its own: REQUEST-scoped providers are made for it, and destroyed when it is over.
 * Whatever the handler throws is thrown again, for the engine to judge.
 */
export async function runInJobContext(
  handler: Handler,
  job: PersistedJob<unknown, unknown>,
  jobContext: JobContext<unknown>,
): Promise<unknown> {
  const context = contextOf(job, jobContext);
  try {
    // A run may begin inside a context, that of the request which drains the queue. Ts.ED would keep that one, so it is
    // left first.
    return await getAsyncStore().run(undefined as never, () =>
      runInContext(context, () => callHandler(handler, context, job, jobContext)),
    );
  } catch (error) {
    logJobError(handler, job, jobContext, error);
    throw error;
  } finally {
    await destroy(context, handler, job);
  }
}

function contextOf(job: PersistedJob<unknown, unknown>, jobContext: JobContext<unknown>): DIContext {
  const context = new DIContext({
    id: String(job._id),
    logger: logger(),
    // Log at once: Ts.ED would keep the lines until the end of the run, which may be hours away.
    maxStackSize: 0,
    additionalProps: { jobName: job.name },
  });
  for (const [token, value] of [
    [MONQUE_JOB, job],
    [MONQUE_JOB_CONTEXT, jobContext],
  ] as const) {
    context.set(token, value);
    // What is in the container is injected before any provider is asked.
    context.container.set(token, value);
  }
  return context;
}

async function callHandler(
  { token, job: { method } }: Handler,
  context: DIContext,
  job: PersistedJob<unknown, unknown>,
  jobContext: JobContext<unknown>,
): Promise<unknown> {
  const controller = await inject<Record<string, (...args: unknown[]) => unknown>>(token, {
    locals: context.container,
  });
  return controller[method]?.(job, jobContext);
}

/** What a provider throws on its way out must not turn a job that is done into one that failed. */
async function destroy(
  context: DIContext,
  { where }: Handler,
  job: PersistedJob<unknown, unknown>,
): Promise<void> {
  try {
    await context.destroy();
  } catch (error) {
    logger().error({
      event: 'MONQUE_DESTROY_ERROR',
      jobName: job.name,
      jobId: String(job._id),
      handler: where,
      message: `A REQUEST-scoped provider failed in $onDestroy: ${String(error)}`,
      stack: error instanceof Error ? error.stack : undefined,
    });
  }
}
