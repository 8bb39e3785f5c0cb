import type pg from 'pg';
import PgBoss from 'pg-boss';
import { monotonic } from '../measure/monotonic.js';
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

const DAY_MS = 86_400_000;
const CHUNK = 5_000;

/** Jobs per fetch where throughput counts: of 500 with several workers and 5,000 with one, the latter is faster. */
const LARGEST_BATCH = 5_000;

/**
 * pg-boss at its best:
 * - one worker with batches of 5,000 where throughput counts; its handler runs as many at a time as the others may.
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
    const options = {
      batchSize: tuning === 'latency' ? concurrency : LARGEST_BATCH,
      pollingIntervalSeconds: 0.5,
    };
    const start = async () => {
      for (const name of names) {
        await this.#boss.work<JobData>(name, options, (jobs) => runAll(jobs, concurrency, handle));
      }
    };
    const unfinished = `SELECT count(*) FROM ${this.#schema}.job WHERE state < 'completed' AND start_after <= now()`;
    const stored = async () => {
      await untilNone(this.#pool, unfinished);
      return monotonic();
    };
    return { start, stored };
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

/** Handles a batch, so many at a time. */
async function runAll(jobs: readonly PgBoss.Job<JobData>[], limit: number, handle: Handle): Promise<void> {
  let next = 0;
  const lane = async () => {
    for (let job = jobs[next++]; job !== undefined; job = jobs[next++]) {
      const work = handle(job.data);
      if (work !== undefined) await work;
    }
  };
  await Promise.all(Array.from({ length: Math.min(limit, jobs.length) }, lane));
}

export const pgBoss: ContenderProfile = {
  id: 'pg-boss',
  title: 'pg-boss (PostgreSQL)',
  server: 'postgres',
  package: 'pg-boss',
  pace: 'fast',
  settings: [
    'throughput: one worker, batchSize 5000, its handler runs the batch at the stated concurrency',
    'latency: batchSize equal to the stated concurrency',
    'pollingIntervalSeconds 0.5 (the shortest), supervise and schedule off',
  ],
  connect: async (target: Target) => new PgBossContender(target),
};
