import { JobStateError, type Monque, type PersistedJob } from '@monque/core';
import { logger } from '@tsed/di';
import type { JobMetadata } from '../metadata/collect-job-metadata.js';

type CronJob = Extract<JobMetadata, { kind: 'cron' }>;

/** Rolling deployments of two patterns end with the later start; more rounds than processes that start at once. */
const MAX_ROUNDS = 10;

/**
 * Stores the series of a `@Cron`, once however often and wherever the application starts. A stored series with another
 * pattern or time zone gives way to the new one.
 */
export async function scheduleCron(
  monque: Monque<unknown>,
  { fullName, pattern, opts }: CronJob,
): Promise<void> {
  const { name: _, ...given } = opts;
  const options = { uniqueKey: fullName, ...given };
  for (let round = 1; ; round += 1) {
    const stored = await monque.schedule(pattern, fullName, {}, options);
    if (stored.repeatInterval === pattern && isSameZone(stored, given.timezone)) return;
    if (round === MAX_ROUNDS || !(await giveWay(monque, stored))) {
      logger().warn({
        event: 'MONQUE_CRON_KEPT',
        jobName: fullName,
        message: `"${fullName}" keeps its schedule "${stored.repeatInterval}" instead of "${pattern}", since it runs just now. Start again later to change it`,
      });
      return;
    }
  }
}

function isSameZone(stored: PersistedJob<unknown, unknown>, timezone: string | undefined): boolean {
  return timezone === undefined || stored.timezone === timezone;
}

/** Removes an outdated series; false where it runs at the moment, since its run would be lost. */
async function giveWay(monque: Monque<unknown>, stored: PersistedJob<unknown, unknown>): Promise<boolean> {
  try {
    // Cancelled first: that takes pending jobs only, so a run that has just begun is safe.
    if ((await monque.cancelJob(stored._id)) !== null) await monque.deleteJob(stored._id);
    return true;
  } catch (error) {
    if (error instanceof JobStateError) return false;
    throw error;
  }
}
