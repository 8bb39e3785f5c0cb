import type { OutsideStore } from '../lifecycle/surface-failures.js';
import type { JobLogEntry } from '../store/log-types.js';

/** The log of a job, oldest entry first; empty where there is no such job. */
export async function getJobLogs<Id>(
  store: Pick<OutsideStore<Id>, 'parseId' | 'logs'>,
  id: unknown,
): Promise<JobLogEntry[]> {
  const parsed = store.parseId(id);
  return parsed === undefined ? [] : store.logs(parsed);
}
