import type { JobStatus } from '../job/status.js';
import type { OutsideStore } from '../lifecycle/surface-failures.js';
import type { JobPageRequest, StoredJob } from '../store/query-types.js';
import { readInteger, readName, readQuery, readStatuses } from './query-input.js';

/** Which jobs `getJobs` lists. */
export interface GetJobsFilter {
  /** Name of the jobs. */
  name?: string;
  /** Their status, or several of which they have one. */
  status?: JobStatus | readonly JobStatus[];
  /**
   * Most jobs to list, 1 to 10,000.
   *
   * @defaultValue 100
   */
  limit?: number;
  /**
   * Jobs to pass over first. Deep pages are slow: use `getJobsWithCursor` for them.
   *
   * @defaultValue 0
   */
  skip?: number;
}

const WHAT = 'filter';
const DEFAULT_LIMIT = 100;
const MAX_LIMIT = 10_000;

/** Lists jobs by due time, the earliest first. */
export async function getJobs<Id>(store: OutsideStore<Id>, filter: unknown): Promise<StoredJob<Id>[]> {
  return store.page(parseGetJobs(filter));
}

function parseGetJobs<Id>(filter: unknown): JobPageRequest<Id> {
  const {
    name,
    status,
    limit = DEFAULT_LIMIT,
    skip = 0,
  } = readQuery(filter ?? {}, WHAT, ['name', 'status', 'limit', 'skip']);
  return {
    filter: {
      ...(name !== undefined && { name: readName(name, WHAT) }),
      ...(status !== undefined && { statuses: readStatuses(status, WHAT) }),
    },
    by: 'nextRunAt',
    direction: 'asc',
    limit: readInteger(limit, 'limit', WHAT, 1, MAX_LIMIT),
    skip: readInteger(skip, 'skip', WHAT, 0, Number.MAX_SAFE_INTEGER),
  };
}

/** One job by its id, in the store's form or as text. */
export async function getJob<Id>(store: OutsideStore<Id>, id: unknown): Promise<StoredJob<Id> | null> {
  const parsed = store.parseId(id);
  if (parsed === undefined) return null;
  const [job] = await store.get([parsed]);
  return job ?? null;
}
