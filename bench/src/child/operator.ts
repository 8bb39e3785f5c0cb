import type { Bystanders, Contender, ContenderWorker } from '../contenders/contender.js';
import { monotonic } from '../measure/monotonic.js';
import type {
  Commands,
  EnqueueRequest,
  IdleReport,
  SendRequest,
  WorkReport,
  WorkRequest,
} from './commands.js';
import { enqueue, send } from './enqueue.js';
import { Tally } from './tally.js';

/** What `work` has begun. */
interface Work {
  readonly worker: ContenderWorker;
  readonly tally: Tally;
  readonly startedAt: number;
  readonly cpuBefore: NodeJS.CpuUsage;
}

/** Carries out in this process what the benchmark asks of it. */
export class Operator implements Commands {
  readonly #contender: Contender;
  #work: Work | undefined;

  constructor(contender: Contender) {
    this.#contender = contender;
  }

  async prepare(names: readonly string[]): Promise<void> {
    await this.#contender.prepare(names);
  }

  async fill(kind: Bystanders, count: number, name: string): Promise<boolean> {
    await this.#contender.fill?.(kind, count, name);
    return this.#contender.fill !== undefined;
  }

  enqueue(request: EnqueueRequest): Promise<number | undefined> {
    return enqueue(this.#contender, request);
  }

  send(request: SendRequest): Promise<void> {
    return send(this.#contender, request);
  }

  async work({ expected, ...request }: WorkRequest): Promise<void> {
    const tally = new Tally(expected);
    const worker = await this.#contender.createWorker(request, tally.handle);
    this.#work = { worker, tally, startedAt: monotonic(), cpuBefore: process.cpuUsage() };
    await worker.start();
  }

  async progress(): Promise<number> {
    return this.#work?.tally.handled ?? 0;
  }

  async report(): Promise<WorkReport> {
    if (this.#work === undefined) throw new Error('No work has begun in this process');
    const { worker, tally, startedAt, cpuBefore } = this.#work;
    const storedAt = await worker.stored(tally.handled, tally.handledAt);
    const claims = this.#contender.claimCount?.();
    return {
      startedAt,
      storedAt,
      handled: tally.handled,
      repeats: tally.repeats,
      seen: tally.seen,
      marks: tally.marks,
      latencies: tally.latencies,
      cpu: cpuShare(cpuBefore, monotonic() - startedAt),
      peakRss: process.resourceUsage().maxRSS * 1024,
      ...(claims === undefined ? {} : { claims }),
    };
  }

  async idle(ms: number): Promise<IdleReport> {
    const commands = await this.#contender.commandCount?.();
    const cpu = process.cpuUsage();
    const start = monotonic();
    await new Promise((resolve) => setTimeout(resolve, ms));
    const elapsed = monotonic() - start;
    const share = cpuShare(cpu, elapsed);
    const after = await this.#contender.commandCount?.();
    if (commands === undefined || after === undefined) return { cpu: share };
    return { commandsPerSecond: ((after - commands) * 1000) / elapsed, cpu: share };
  }

  async rss(): Promise<number> {
    return process.memoryUsage.rss();
  }

  close(): Promise<void> {
    return this.#contender.close();
  }
}

/** Share of one core that this process has used since. */
function cpuShare(before: NodeJS.CpuUsage, elapsedMs: number): number {
  const { user, system } = process.cpuUsage(before);
  return (user + system) / 1000 / elapsedMs;
}
