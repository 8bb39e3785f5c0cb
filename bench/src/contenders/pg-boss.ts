import type pg from 'pg';
import PgBoss from 'pg-boss';
import type {
  Bystanders,
  Contender,
  ContenderProfile,
  ContenderWorker,
  Handle,
  JobData,
  NewJob,
  Target,
  WorkerRequest,
} from './contender.js';
import { connectPostgres, settleDown, transactionCount, untilNone } from './postgres-pool.js';
import { SharedLanes } from './shared-lanes.js';

const DAY_MS = 86_400_000;
const CHUNK = 5_000;

/** Jobs per fetch where throughput counts: neither 2,000 nor 10,000 was faster. */
const LARGEST_BATCH = 5_000;
/** Workers where throughput counts: 2, 4 and 8 reached 18,000 to 32,000 jobs/s without clear order, 1 up to 17,000. */
const WORKERS = 4;

/**
 * pg-boss at its best:
 * - where throughput counts, several workers with batches of 5,000, so that one fetches while another completes. Each
 *   calls `notifyWorker` for itself after a full batch: else it sleeps for the rest of the polling interval, which allows
 *   no more than 10,000 jobs a second for one worker.
 * - all workers and queues of the process share as many lanes as the others may run jobs at a time.
 * - `pollingIntervalSeconds` 0.5, the shortest that it takes: it has no notifications.
 * - no supervision, monitoring or schedules, which this queue does not need.
 */
class PgBossContender implements Contender {
  readonly #target: Target;
  readonly #pool: pg.Pool;
  readonly #boss: PgBoss;
  #started: Promise<unknown> | undefined;

  constructor(target: Target) {
    this.#target = target;
    this.#pool = connectPostgres(target);
    this.#boss = new PgBoss({
      connectionString: target.uri,
      schema: target.namespace,
      max: 10,
      supervise: false,
      schedule: false,
    });
    this.#boss.on('error', (error) => console.error(`pg-boss: ${error.message}`));
  }

  async prepare(names: readonly string[]): Promise<void> {
    await this.#ready();
    for (const name of names) await this.#boss.createQueue(name);
  }

  async enqueue({ name, data }: NewJob): Promise<unknown> {
    await this.#ready();
    return this.#boss.send(name, data);
  }

  async enqueueMany(jobs: readonly NewJob[]): Promise<unknown> {
    await this.#ready();
    return this.#boss.insert([...jobs]);
  }

  async createWorker(
    { names, concurrency, tuning }: WorkerRequest,
    handle: Handle,
  ): Promise<ContenderWorker> {
    await this.#ready();
    const isBulk = tuning === 'throughput';
    const batchSize = isBulk ? LARGEST_BATCH : concurrency;
    // Over all queues: 200 of them have a worker each, and need no further ones.
    const workers = isBulk ? Math.max(1, Math.floor(WORKERS / names.length)) : 1;
    const lanes = new SharedLanes<JobData>(concurrency, handle);
    const startOne = async (name: string) => {
      const options = { batchSize, pollingIntervalSeconds: 0.5 };
      const id: string = await this.#boss.work<JobData>(name, options, async (jobs) => {
        await lanes.run(jobs.map(({ data }) => data));
        // There may be more: without this call, the worker sleeps for the rest of its polling interval.
        if (jobs.length === batchSize) this.#boss.notifyWorker(id);
      });
    };
    const start = async () => {
      for (const name of names) {
        for (let worker = 0; worker < workers; worker++) await startOne(name);
      }
    };
    const unfinished = `${this.#schema}.job WHERE state < 'completed' AND start_after <= now()`;
    return {
      start,
      stored: (_handled, handledAt) => untilNone(this.#pool, unfinished, handledAt),
    };
  }

  async fill(kind: Bystanders, count: number, name: string): Promise<void> {
    if (kind === 'future') await this.#fillFuture(count, name);
    else await this.#fillFinished(count, name);
    await settleDown(this.#pool);
  }

  commandCount(): Promise<number> {
    return transactionCount(this.#pool);
  }

  async close(): Promise<void> {
    if (this.#started !== undefined) await this.#boss.stop({ graceful: false, wait: true });
    await this.#pool.end();
  }

  get #schema(): string {
    return `"${this.#target.namespace}"`;
  }

  #ready(): Promise<unknown> {
    this.#started ??= this.#boss.start();
    return this.#started;
  }

  async #fillFuture(count: number, name: string): Promise<void> {
    for (let start = 0; start < count; start += CHUNK) {
      const length = Math.min(CHUNK, count - start);
      const jobs = Array.from({ length }, (_, index) => ({
        name,
        data: { n: 0 },
        startAfter: new Date(Date.now() + DAY_MS + (start + index) * 1000),
      }));
      await this.#boss.insert(jobs);
    }
  }

  /** As rows that it completed itself would look. */
  async #fillFinished(count: number, name: string): Promise<void> {
    await this.#pool.query(
      `INSERT INTO ${this.#schema}.job (name, data, state, created_on, start_after, started_on, completed_on)
       SELECT $1, '{"n":0}', 'completed', moment, moment, moment, moment
       FROM (SELECT now() - i * interval '1 second' AS moment FROM generate_series(1, $2) AS i) AS moments`,
      [name, count],
    );
  }
}

export const pgBoss: ContenderProfile = {
  id: 'pg-boss',
  title: 'pg-boss (PostgreSQL)',
  server: 'postgres',
  package: 'pg-boss',
  pace: 'fast',
  settings: [
    'throughput: 4 workers (one per queue where there are 200), batchSize 5000, notifyWorker after a full batch instead of ' +
      'the rest of the polling interval',
    'all workers of a process together run as many jobs at a time as stated',
    'latency: batchSize equal to the stated concurrency',
    'pollingIntervalSeconds 0.5 (the shortest), supervise and schedule off',
  ],
  connect: async (target: Target) => new PgBossContender(target),
};
