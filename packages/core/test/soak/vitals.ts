import { said, told, type Worker } from '../faults/scene/crew.js';

/** How a process is. */
export interface Vitals {
  /** Bytes in use after the garbage was collected. */
  readonly heapUsed: number;
  /** Open handles and requests, without timers. */
  readonly handles: number;
}

const MEGABYTE = 2 ** 20;
/** Growth beyond which a process leaks, over the whole of a run. Single samples differ by less. */
const MOST_HEAP_MB = 5;
const MOST_HANDLES = 6;
/** Samples at the begin that do not count: what is made once is made then. */
const WARM_UP = 0.25;

/** The vitals of one process, over time. */
export class Chart {
  readonly worker: Worker;
  readonly #samples: Vitals[] = [];

  constructor(worker: Worker) {
    this.worker = worker;
  }

  /** Takes a sample. */
  async sample(): Promise<void> {
    const before = said(this.worker, 'vitals');
    this.worker.script.send({ vitals: true });
    await told(this.worker, 'vitals', before + 1);
    const messages = this.worker.script.messages as { type: string; vitals: Vitals }[];
    const latest = messages.findLast(({ type }) => type === 'vitals');
    if (latest !== undefined) this.#samples.push(latest.vitals);
  }

  get heaps(): number[] {
    return this.#samples.map(({ heapUsed }) => heapUsed / MEGABYTE);
  }

  get handles(): number[] {
    return this.#samples.map(({ handles }) => handles);
  }

  /** What has grown that should not have, in words. */
  get growth(): string[] {
    const { name } = this.worker;
    const heap = growthOf(this.heaps);
    const handles = growthOf(this.handles);
    return [
      ...(heap > MOST_HEAP_MB ? [`the heap of ${name} grew by ${heap.toFixed(1)} MB`] : []),
      ...(handles > MOST_HANDLES ? [`${name} has ${handles} more open handles than before`] : []),
    ];
  }
}

/** How much the last third lies above the first, by their medians. */
export function growthOf(samples: readonly number[]): number {
  const counted = samples.slice(Math.ceil(samples.length * WARM_UP));
  const third = Math.ceil(counted.length / 3);
  return median(counted.slice(-third)) - median(counted.slice(0, third));
}

function median(numbers: readonly number[]): number {
  return numbers.toSorted((one, other) => one - other)[Math.floor(numbers.length / 2)] ?? 0;
}
