import { toError } from '../../job/thrown.js';
import type { StoredJob } from '../../store/query-types.js';
import { WakeSignal } from '../dispatch/wake-signal.js';
import type { EngineParts } from '../engine-types.js';
import { GrowingDelay } from '../timing/growing-delay.js';
import { TemplateFiring } from './template-firing.js';

/** Share of the poll interval by which a look comes earlier, at random, so that processes do not all look at once. */
const JITTER = 0.2;

/** Looks at the templates once per poll, and when the next of them is due. */
export class TemplateLoop {
  readonly #parts: EngineParts;
  readonly #firing: TemplateFiring;
  readonly #signal: WakeSignal;
  #stop: AbortController | undefined;
  #loop: Promise<void> = Promise.resolve();

  /** @param made - Called for each job that this process has made. */
  constructor(parts: EngineParts, made: (job: StoredJob) => void) {
    this.#parts = parts;
    this.#signal = new WakeSignal(parts.host);
    this.#firing = new TemplateFiring(parts, made);
  }

  start(): void {
    if (this.#stop !== undefined && !this.#stop.signal.aborted) return;
    const stop = new AbortController();
    this.#stop = stop;
    // Behind a loop that was stopped and has not ended yet, because the store has not answered it.
    this.#loop = this.#loop.then(() => this.#run(stop.signal));
  }

  /** Resolves when what is being fired is stored. */
  async stop(): Promise<void> {
    this.#stop?.abort();
    this.#signal.notify();
    await this.#loop;
  }

  /** A template of this process was changed: look again. */
  wake(): void {
    this.#signal.notify();
  }

  async #run(stopping: AbortSignal): Promise<void> {
    const { host, clock, options, emit } = this.#parts;
    const outage = new GrowingDelay(host);
    while (!stopping.aborted) {
      try {
        const next = await this.#firing.look(options.pollInterval);
        outage.reset();
        const poll = options.pollInterval * (1 - JITTER * host.random());
        await this.#signal.wait(Math.min(poll, Math.max(0, next - clock.millis())));
      } catch (thrown) {
        emit('job:error', { error: toError(thrown) });
        await outage.wait(stopping, true);
      }
    }
  }
}
