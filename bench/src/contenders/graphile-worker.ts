import { Logger, makeWorkerUtils, type Runner, run, type TaskList, type WorkerUtils } from 'graphile-worker';
import type pg from 'pg';
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
/** Jobs that one process takes ahead: its documentation's way to high throughput. 2,000 beat 500. */
const LOCAL_QUEUE = 2_000;

/**
 * graphile-worker at its best:
 * - where throughput counts, a local queue, and completions in batches without further delay.
 * - where latency counts, neither: a job starts with its NOTIFY.
 */
class GraphileContender implements Contender {
  readonly #target: Target;
  readonly #pool: pg.Pool;
  readonly #runners: Runner[] = [];
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
    const start = async () => {
      const runner = await run({
        connectionString: this.#target.uri,
        schema: this.#target.namespace,
        taskList,
        concurrency,
        noHandleSignals: true,
        logger: SILENT,
        maxPoolSize: 10,
        preset: { worker: tuning === 'throughput' ? batching : {} },
      });
      this.#runners.push(runner);
    };
    // Completed jobs are deleted.
    const unfinished = `SELECT count(*) FROM "${this.#target.namespace}"._private_jobs WHERE run_at <= now()`;
    const stored = async () => {
      await untilNone(this.#pool, unfinished);
      return monotonic();
    };
    return { start, stored };
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
    await this.#pool.end();
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
    'finished jobs are deleted: it keeps none',
  ],
  without: {
    finished: 'it deletes finished jobs',
  },
  connect: async (target: Target) => new GraphileContender(target),
};
