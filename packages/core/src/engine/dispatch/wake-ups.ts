import { WatchUnsupportedError } from '../../errors/operation-errors.js';
import { toError } from '../../job/thrown.js';
import type { Subscription, WatchObserver } from '../../store/watch-types.js';
import type { EngineParts } from '../engine-types.js';
import { pause } from '../host.js';
import { GrowingDelay } from '../timing/growing-delay.js';

/** Told what the stream of changes shows. */
export interface WakeUpListener {
  /** A job waits for this time; its name where the stream tells it. */
  due(nextRunAt: Date, name: string | undefined): void;
  /** A job was cancelled or removed. */
  stopped(id: unknown): void;
  /** Whether changes are being seen has changed: look at the store once, and choose the other poll interval. */
  watchingChanged(): void;
}

/** How long the end of a stream is waited for, in milliseconds. */
const LONGEST_CLOSE_MS = 150;

/** Why a stream ended. */
type End = { type: 'broken'; error: Error } | { type: 'stopped' | 'resting' };

/**
 * The stream of changes that other processes make. A broken one is opened again with growing delays, for
 * ever; meanwhile, and where none can be had, polling takes its place.
 *
 * While claims come back full there is nothing to wake for, and the stream would only cost the server a third of its
 * work: it is closed then, and opened again when the rush is over. Nobody is told of that, since nothing is missed.
 */
export class WakeUps {
  readonly #parts: EngineParts;
  readonly #listener: WakeUpListener;
  #watching = false;
  /** Whether listeners were told of a stream that is not known to be broken or closed. */
  #announced = false;
  #rushing = false;
  /** Called when a rush begins or ends, and when the engine stops. */
  #changed: (() => void) | undefined;
  #ending: AbortController | undefined;
  #loop: Promise<void> = Promise.resolve();

  constructor(parts: EngineParts, listener: WakeUpListener) {
    this.#parts = parts;
    this.#listener = listener;
  }

  /** Whether changes by other processes are seen at once. */
  get watching(): boolean {
    return this.#watching;
  }

  /** Says whether claims come back full, so that nobody needs to be woken. */
  set rushing(rushing: boolean) {
    if (rushing === this.#rushing) return;
    this.#rushing = rushing;
    this.#changed?.();
  }

  start(): void {
    if (this.#ending !== undefined && !this.#ending.signal.aborted) return;
    const ending = new AbortController();
    this.#ending = ending;
    this.#loop = this.#loop.then(() => this.#keepOpen(ending.signal));
  }

  /** Resolves when the stream is closed and said to be so. */
  async stop(): Promise<void> {
    this.#ending?.abort();
    this.#changed?.();
    await this.#loop;
  }

  async #keepOpen(signal: AbortSignal): Promise<void> {
    const delay = new GrowingDelay(this.#parts.host);
    while (!signal.aborted) {
      try {
        const end = await this.#watch(signal, () => delay.reset());
        if (end.type === 'resting') await this.#until(signal, () => !this.#rushing);
        if (end.type !== 'broken') continue;
        this.#broke(end.error);
      } catch (thrown) {
        if (signal.aborted) break;
        const error = toError(thrown);
        if (error instanceof WatchUnsupportedError) {
          this.#parts.emit('changestream:fallback', { reason: error.message });
          return;
        }
        this.#broke(error);
      }
      await delay.wait(signal);
    }
    if (this.#announced) this.#parts.emit('changestream:closed');
    this.#announced = false;
  }

  /** Opens the stream and lets it run until it breaks, a rush begins or the engine stops. */
  async #watch(signal: AbortSignal, opened: () => void): Promise<End> {
    let broke: (error: Error) => void = () => {};
    const broken = new Promise<End>((resolve) => {
      broke = (error) => resolve({ type: 'broken', error });
    });
    const observer: WatchObserver = {
      due: (nextRunAt, name) => this.#listener.due(nextRunAt, name),
      stopped: (id) => this.#listener.stopped(id),
      lost: (error) => broke(error),
    };
    const opening = this.#parts.store.watch(observer);
    const subscription = await Promise.race([opening, this.#until(signal, () => false)]);
    if (subscription === undefined) {
      // Stopped while the server was silent: whatever it still opens is closed.
      opening.then((late) => late.close()).catch(() => {});
      return { type: 'stopped' };
    }
    opened();
    if (!signal.aborted) this.#connected();
    const ended = this.#until(signal, () => this.#rushing).then(
      (): End => ({ type: signal.aborted ? 'stopped' : 'resting' }),
    );
    const end = await Promise.race([broken, ended]);
    if (this.#watching) this.#setWatching(false);
    await this.#close(subscription);
    return end;
  }

  #connected(): void {
    this.#setWatching(true);
    if (!this.#announced) this.#parts.emit('changestream:connected');
    this.#announced = true;
  }

  #broke(error: Error): void {
    this.#announced = false;
    this.#parts.emit('changestream:error', { error });
  }

  /** Resolves when the rush is as wanted, or the engine stops. */
  async #until(signal: AbortSignal, wanted: () => boolean): Promise<void> {
    while (!signal.aborted && !wanted()) {
      await new Promise<void>((resolve) => {
        this.#changed = resolve;
      });
    }
  }

  /**
   * A stream that cannot be closed properly is broken already: nothing is left to do about it. One whose server does
   * not answer is left to itself.
   */
  async #close(subscription: Subscription): Promise<void> {
    const { host } = this.#parts;
    const waited = new AbortController();
    await Promise.race([subscription.close().catch(() => {}), pause(host, LONGEST_CLOSE_MS, waited.signal)]);
    waited.abort();
  }

  #setWatching(watching: boolean): void {
    this.#watching = watching;
    this.#listener.watchingChanged();
  }
}
