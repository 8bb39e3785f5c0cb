import { Logger, makeWorkerUtils, type Runner, run, type TaskList, type WorkerUtils } from 'graphile-worker';
import type pg from 'pg';
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
import { connectPostgres, openPool, settleDown, transactionCount, untilNone } from './postgres-pool.js';

const DAY_MS = 86_400_000;
const CHUNK = 5_000;
/**
 * Connections that are open before the clock starts. Where throughput counts, it was not seen to open more, and was as
 * fast with a pool of 10 as with one of 50. All 50 for each of two processes would reach a server's usual limit of 100.
 */
const OPEN_CONNECTIONS = 10;
/** Jobs that one process takes ahead: its documentation's way to high throughput. 2,000 beat 500. */
const LOCAL_QUEUE = 2_000;

/**
 * graphile-worker at its best:
 * - where throughput counts, a local queue, and completions in batches without further delay.
 * - where latency counts, neither: a job starts with its NOTIFY.
 * - a pool as large as the concurrency, as it advises, with open connections before the clock starts. What `run` still does within
 *   the clock, a look at the migrations among it, takes 10 to 15 ms.
 */
class GraphileContender implements Contender {
  readonly #target: Target;
  readonly #pool: pg.Pool;
  readonly #runners: Runner[] = [];
  readonly #workerPools: pg.Pool[] = [];
  #utils: Promise<WorkerUtils> | undefined;

  constructor(target: Target) {
    this.#target = target;
    this.#pool = connectPostgres(target);
  }

  async prepare(): Promise<void> {
    await (await this.#sending()).migrate();
  }

  async enqueue({ name, data }: NewJob): Promise<unknown> {
    return (await this.#sending()).addJob(name, data);
  }

  async enqueueMany(jobs: readonly NewJob[]): Promise<unknown> {
    const utils = await this.#sending();
    return utils.addJobs(jobs.map(({ name, data }) => ({ identifier: name, payload: data })));
  }

  async createWorker(
    { names, concurrency, tuning }: WorkerRequest,
    handle: Handle,
  ): Promise<ContenderWorker> {
    const task = async (payload: unknown) => handle(payload as JobData);
    const taskList: TaskList = Object.fromEntries(names.map((name) => [name, task]));
    const batching = { localQueue: { size: LOCAL_QUEUE }, completeJobBatchDelay: 0, failJobBatchDelay: 0 };
    const pgPool = await openPool(this.#target, { max: concurrency, open: OPEN_CONNECTIONS });
    this.#workerPools.push(pgPool);
    const start = async () => {
      const runner = await run({
        pgPool,
        schema: this.#target.namespace,
        taskList,
        concurrency,
        noHandleSignals: true,
        logger: SILENT,
        preset: { worker: tuning === 'throughput' ? batching : {} },
      });
      this.#runners.push(runner);
    };
    // Completed jobs are deleted.
    const unfinished = `"${this.#target.namespace}"._private_jobs WHERE run_at <= now()`;
    return {
      start,
      stored: (_handled, handledAt) => untilNone(this.#pool, unfinished, handledAt),
    };
  }

  async fill(_kind: Bystanders, count: number, name: string): Promise<void> {
    const utils = await this.#sending();
    for (let start = 0; start < count; start += CHUNK) {
      const length = Math.min(CHUNK, count - start);
      const jobs = Array.from({ length }, (_, index) => ({
        identifier: name,
        payload: { n: 0 },
        runAt: new Date(Date.now() + DAY_MS + (start + index) * 1000),
      }));
      await utils.addJobs(jobs);
    }
    await settleDown(this.#pool);
  }

  commandCount(): Promise<number> {
    return transactionCount(this.#pool);
  }

  async close(): Promise<void> {
    await Promise.all(this.#runners.map((runner) => runner.stop()));
    await (await this.#utils)?.release();
    await Promise.all([this.#pool, ...this.#workerPools].map((pool) => pool.end()));
  }

  #sending(): Promise<WorkerUtils> {
    this.#utils ??= makeWorkerUtils({
      connectionString: this.#target.uri,
      schema: this.#target.namespace,
      logger: SILENT,
    });
    return this.#utils;
  }
}

/** It would write a line for every job. */
const SILENT = new Logger(() => () => {});

export const graphileWorker: ContenderProfile = {
  id: 'graphile-worker',
  title: 'graphile-worker (PostgreSQL)',
  server: 'postgres',
  package: 'graphile-worker',
  pace: 'fast',
  settings: [
    'throughput: localQueue 2000, completeJobBatchDelay 0, failJobBatchDelay 0',
    'latency: neither, the default, started by NOTIFY',
    'a pool of as many connections as the stated concurrency, 10 of them open before the clock starts',
    'finished jobs are deleted: it keeps none',
  ],
  without: {
    finished: 'it deletes finished jobs',
  },
  connect: async (target: Target) => new GraphileContender(target),
};
