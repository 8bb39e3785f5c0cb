/** Keeps the smallest item at hand: O(log n) to add or take one, O(1) to look. */
export class BinaryHeap<T> {
  #items: T[] = [];
  readonly #compare: (a: T, b: T) => number;

  constructor(compare: (a: T, b: T) => number) {
    this.#compare = compare;
  }

  get size(): number {
    return this.#items.length;
  }

  peek(): T | undefined {
    return this.#items[0];
  }

  push(item: T): void {
    this.#items.push(item);
    this.#rise(this.#items.length - 1);
  }

  pop(): T | undefined {
    const top = this.#items[0];
    const last = this.#items.pop();
    if (last !== undefined && this.#items.length > 0) {
      this.#items[0] = last;
      this.#sink(0);
    }
    return top;
  }

  /** Drops every item that does not fit. */
  retain(fits: (item: T) => boolean): void {
    this.#items = this.#items.filter(fits);
    for (let index = (this.#items.length >> 1) - 1; index >= 0; index--) this.#sink(index);
  }

  #rise(start: number): void {
    let index = start;
    while (index > 0) {
      const parent = (index - 1) >> 1;
      if (!this.#swapIfSmaller(index, parent)) return;
      index = parent;
    }
  }

  #sink(start: number): void {
    let index = start;
    for (;;) {
      const left = 2 * index + 1;
      if (left >= this.#items.length) return;
      const right = left + 1;
      const child = right < this.#items.length && this.#isSmaller(right, left) ? right : left;
      if (!this.#swapIfSmaller(child, index)) return;
      index = child;
    }
  }

  #isSmaller(a: number, b: number): boolean {
    return this.#compare(this.#items[a] as T, this.#items[b] as T) < 0;
  }

  #swapIfSmaller(child: number, parent: number): boolean {
    if (!this.#isSmaller(child, parent)) return false;
    const item = this.#items[child] as T;
    this.#items[child] = this.#items[parent] as T;
    this.#items[parent] = item;
    return true;
  }
}

/** The `count` smallest items, in order. Looks at each item once and sorts none of the others. */
export function smallest<T>(items: Iterable<T>, count: number, compare: (a: T, b: T) => number): T[] {
  if (count <= 0) return [];
  const largestFirst = new BinaryHeap<T>((a, b) => compare(b, a));
  for (const item of items) {
    const largest = largestFirst.peek();
    if (largestFirst.size < count || largest === undefined) largestFirst.push(item);
    else if (compare(item, largest) < 0) {
      largestFirst.pop();
      largestFirst.push(item);
    }
  }
  const descending: T[] = [];
  for (let item = largestFirst.pop(); item !== undefined; item = largestFirst.pop()) descending.push(item);
  return descending.reverse();
}
