import { BenchProcess } from '../child/bench-process.js';
import type { WorkReport } from '../child/commands.js';
import type { ContenderProfile, Target } from '../contenders/contender.js';
import { checkHandledOnce } from '../measure/handled-once.js';

const LOOK_EVERY_MS = 25;
/** A system that handles nothing for so long is taken to hang. */
const STALLED_MS = 60_000;

/** How many: for a quick run and a full one, where it matters for slow systems and fast ones apart. */
export interface Size {
  readonly quick: number | Readonly<Record<ContenderProfile['pace'], number>>;
  readonly full: number | Readonly<Record<ContenderProfile['pace'], number>>;
}

export interface LabOptions {
  readonly quick: boolean;
  /** Factor on all counts, to try the benchmark itself out. */
  readonly scale: number;
  /** Folder for the CPU profiles of workers. */
  readonly profileTo: string | undefined;
}

/** The place of one measurement: one system, an empty queue, and the processes that work on it. */
export class Lab {
  readonly profile: ContenderProfile;
  readonly #target: Omit<Target, 'counting'>;
  readonly #options: LabOptions;
  readonly #processes: BenchProcess[] = [];

  constructor(profile: ContenderProfile, target: Omit<Target, 'counting'>, options: LabOptions) {
    this.profile = profile;
    this.#target = target;
    this.#options = options;
  }

  count(size: Size): number {
    const given = this.#options.quick ? size.quick : size.full;
    const count = typeof given === 'number' ? given : given[this.profile.pace];
    return Math.max(20, Math.round(count * this.#options.scale));
  }

  /** A process that hands jobs in; it also makes the queue. */
  async sender(names: readonly string[]): Promise<BenchProcess> {
    const sender = await this.#spawn(false, []);
    await sender.call('prepare', names);
    return sender;
  }

  /** @param counting - Whether commands and claims are counted. */
  worker({ counting = false } = {}): Promise<BenchProcess> {
    const { profileTo } = this.#options;
    const nodeArgs = profileTo === undefined ? [] : ['--cpu-prof', `--cpu-prof-dir=${profileTo}`];
    return this.#spawn(counting, nodeArgs);
  }

  /**
   * Waits until the processes have handled so many jobs, and all outcomes are stored.
   *
   * @throws when they stall, or when a job was not handled exactly once.
   */
  async finish(workers: readonly BenchProcess[], expected: number): Promise<WorkReport[]> {
    await this.handled(workers, expected);
    const reports = await Promise.all(workers.map((worker) => worker.call('report')));
    checkHandledOnce(reports, expected);
    return reports;
  }

  /**
   * Waits until the processes have handled so many jobs.
   *
   * @throws when they stall.
   */
  async handled(workers: readonly BenchProcess[], expected: number): Promise<void> {
    let before = -1;
    let movedAt = performance.now();
    for (;;) {
      const handled = (await Promise.all(workers.map((worker) => worker.call('progress')))).reduce(
        (a, b) => a + b,
      );
      if (handled >= expected) return;
      if (handled > before) movedAt = performance.now();
      if (performance.now() - movedAt > STALLED_MS) {
        throw new Error(`It stalled: ${handled} of ${expected} jobs were handled`);
      }
      before = handled;
      await new Promise((resolve) => setTimeout(resolve, LOOK_EVERY_MS));
    }
  }

  async close(): Promise<void> {
    await Promise.all(this.#processes.splice(0).map((child) => child.close()));
  }

  async #spawn(counting: boolean, nodeArgs: readonly string[]): Promise<BenchProcess> {
    const child = new BenchProcess(this.profile.id, { ...this.#target, counting }, nodeArgs);
    this.#processes.push(child);
    await child.ready();
    return child;
  }
}
