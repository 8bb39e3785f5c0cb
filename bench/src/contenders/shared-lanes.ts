/** Handles one item; returns nothing where there is nothing to wait for. */
type HandleItem<T> = (item: T) => Promise<void> | undefined;

interface Batch<T> {
  readonly items: readonly T[];
  next: number;
  open: number;
  readonly resolve: () => void;
  readonly reject: (error: unknown) => void;
}

/**
 * Handles all batches that are given to it, so many items at a time over all of them: for a system that limits jobs per
 * queue or per worker, where the others limit them per process.
 */
export class SharedLanes<T> {
  readonly #limit: number;
  readonly #handle: HandleItem<T>;
  readonly #batches: Batch<T>[] = [];
  #busy = 0;

  constructor(limit: number, handle: HandleItem<T>) {
    this.#limit = limit;
    this.#handle = handle;
  }

  /** Resolves once every item of the batch is handled; batches get their turn in the order in which they came. */
  run(items: readonly T[]): Promise<void> {
    if (items.length === 0) return Promise.resolve();
    return new Promise((resolve, reject) => {
      this.#batches.push({ items, next: 0, open: items.length, resolve, reject });
      while (this.#busy < this.#limit && this.#batches.length > 0) void this.#lane();
    });
  }

  async #lane(): Promise<void> {
    this.#busy++;
    for (let batch = this.#batches[0]; batch !== undefined; batch = this.#batches[0]) {
      const item = batch.items[batch.next++] as T;
      if (batch.next >= batch.items.length) this.#batches.shift();
      try {
        const work = this.#handle(item);
        if (work !== undefined) await work;
      } catch (error) {
        batch.reject(error);
      }
      if (--batch.open === 0) batch.resolve();
    }
    this.#busy--;
  }
}
