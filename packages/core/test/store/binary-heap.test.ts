import fc from 'fast-check';
import { expect, test } from 'vitest';
import { BinaryHeap, smallest } from '../../src/store/memory/binary-heap.js';

const ascending = (a: number, b: number) => a - b;

function heapOf(items: readonly number[]): BinaryHeap<number> {
  const heap = new BinaryHeap(ascending);
  for (const item of items) heap.push(item);
  return heap;
}

function popAll(heap: BinaryHeap<number>): (number | undefined)[] {
  return Array.from({ length: heap.size }, () => {
    const head = heap.peek();
    expect(heap.pop()).toBe(head);
    return head;
  });
}

test('gives back whatever was put in, smallest first', () => {
  fc.assert(
    fc.property(fc.array(fc.integer()), (items) => {
      expect(popAll(heapOf(items))).toEqual(items.toSorted(ascending));
    }),
  );
});

test('drops what no longer fits, and keeps the order of the rest', () => {
  fc.assert(
    fc.property(fc.array(fc.integer()), (items) => {
      const heap = heapOf(items);
      heap.retain((item) => item % 2 === 0);
      expect(popAll(heap)).toEqual(items.filter((item) => item % 2 === 0).sort(ascending));
    }),
  );
});

test('finds the smallest few in order', () => {
  fc.assert(
    fc.property(fc.array(fc.integer()), fc.nat(20), (items, count) => {
      expect(smallest(items, count, ascending)).toEqual(items.toSorted(ascending).slice(0, count));
    }),
  );
});
