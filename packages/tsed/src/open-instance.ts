import { Monque, type WorkerOptions } from '@monque/core';
import { logger } from '@tsed/di';
import { monqueOptionsOf } from './config/monque-configs.js';
import type { MongooseServiceLike, MonqueTsedConfig } from './config/monque-tsed-config.js';
import { findDatabase } from './config/resolve-database.js';
import type { Handler } from './jobs/find-handlers.js';
import { runInJobContext } from './jobs/run-in-job-context.js';
import { scheduleCron } from './jobs/schedule-cron.js';
import { tellWhere } from './jobs/tell-where.js';

/** An instance, and the Mongoose service whose connection it uses, where there is one. */
export interface OpenInstance {
  readonly monque: Monque<unknown>;
  readonly service?: MongooseServiceLike;
}

/**
 * Makes an instance that is ready to start: initialised, with its workers registered and its schedules stored. Where that
 * fails nothing of it stays open.
 */
export async function openInstance(
  config: MonqueTsedConfig,
  handlers: readonly Handler[],
): Promise<OpenInstance> {
  const { database, ...found } = await findDatabase(config);
  const monque = new Monque<unknown>(database, monqueOptionsOf(config));
  // Without a listener nobody would hear of what is no job's failure. Kept, because Ts.ED's own is gone after shutdown,
  // and a handler that outlives it may still fail.
  const log = logger();
  monque.on('job:error', ({ error, job }) => {
    log.error({
      event: 'MONQUE_ERROR',
      jobName: job?.name,
      error_name: error.name,
      message: error.message,
      stack: error.stack,
    });
  });
  try {
    await monque.initialize();
    if (config.disableJobProcessing !== true) await addHandlers(monque, handlers);
    return { monque, ...found };
  } catch (error) {
    await monque.close().catch(() => undefined);
    throw error;
  }
}

async function addHandlers(monque: Monque<unknown>, handlers: readonly Handler[]): Promise<void> {
  for (const handler of handlers) {
    const { job, where } = handler;
    try {
      monque.register(
        job.fullName,
        (stored, context) => runInJobContext(handler, stored, context),
        job.kind === 'worker' ? (job.opts as WorkerOptions<unknown, unknown>) : {},
      );
      if (job.kind === 'cron') await scheduleCron(monque, job);
    } catch (error) {
      throw tellWhere(where, error);
    }
  }
}
