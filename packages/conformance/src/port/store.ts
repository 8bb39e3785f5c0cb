import { expect, test } from 'vitest';
import { suite } from '../bench.js';
import type { ConformanceSubject } from '../subject.js';
import { addOne, ids } from './make-jobs.js';

const OPTIONS = { collectionName: 'monque_jobs', skipIndexCreation: false, retention: false };

/** What a store says of itself: its kind, clock, ids and payload rules; and opening it. */
export function storeTests(subject: ConformanceSubject): void {
  suite(subject, 'open', (bench) => {
    test('is idempotent, and safe from many processes at once', async () => {
      const others = await Promise.all([bench.database.connect(), bench.database.connect()]);
      const all = [bench.store, ...others];
      await Promise.all(all.flatMap((store) => [store.open(OPTIONS), store.open(OPTIONS)]));
      await Promise.all(others.map((store) => store.close()));
    });

    test('keeps what is stored', async () => {
      const job = await addOne(bench.store);
      await bench.store.open({ ...OPTIONS, retention: true });
      await bench.store.open({ ...OPTIONS, skipIndexCreation: true });
      expect(await bench.store.get([job._id])).toStrictEqual([job]);
    });
  });

  suite(subject, 'close', (bench) => {
    test('ends nothing that another store object uses', async () => {
      const other = await bench.connect();
      const job = await addOne(bench.store);
      await bench.store.close();
      expect(ids(await other.get([job._id]))).toEqual(ids([job]));
    });
  });

  suite(subject, 'identity', (bench) => {
    test('has a kind for messages', () => {
      expect(bench.store.kind).toMatch(/^[a-z]+$/);
    });

    test('tells the time of its own clock, which does not go back', async () => {
      const first = await bench.store.now();
      const second = await bench.store.now();
      expect(first).toBeInstanceOf(Date);
      expect(second.getTime()).toBeGreaterThanOrEqual(first.getTime());
    });

    test('reads an id in its own form and as text', async () => {
      const { _id } = await addOne(bench.store);
      expect(bench.store.parseId(_id)).toEqual(_id);
      expect(bench.store.parseId(String(_id))).toEqual(_id);
      expect(bench.store.parseId(String(_id).toUpperCase())).toEqual(_id);
    });

    const foreign: readonly unknown[] = [
      undefined,
      null,
      '',
      'x'.repeat(1_000),
      42,
      {},
      [],
      { $ne: null },
      Symbol('x'),
    ];
    test.each(foreign.map((value) => ({ value })))(
      'answers undefined for what cannot be an id: $value',
      ({ value }) => {
        expect(bench.store.parseId(value)).toBeUndefined();
      },
    );

    test('answers undefined for an object that refuses to be asked', () => {
      const refuse = () => {
        throw new Error('Touched');
      };
      const touchy = new Proxy({}, { get: refuse, has: refuse, getPrototypeOf: refuse, ownKeys: refuse });
      expect(bench.store.parseId(touchy) === undefined).toBe(true);
    });

    test('an id of the right form that no job has finds nothing', async () => {
      const { _id } = await addOne(bench.store);
      await bench.store.remove([_id]);
      expect(await bench.store.get([_id])).toEqual([]);
      expect(await bench.store.change([_id], { type: 'retry' }, new Date())).toEqual([]);
    });
  });

  suite(subject, 'payload rules', (bench) => {
    test('measure in bytes, and grow with the payload', () => {
      const { maxBytes, sizeOf } = bench.store.payload;
      expect(maxBytes).toBeGreaterThanOrEqual(1_000_000);
      const small = sizeOf({ text: 'x' });
      expect(sizeOf({ text: 'x'.repeat(1_001) }) - small).toBe(1_000);
      expect(sizeOf({ text: 'ü' }) - small).toBe(1);
      expect(sizeOf(null)).toBeGreaterThanOrEqual(0);
    });

    test('a payload of several hundred kilobytes is stored', async () => {
      const data = { text: 'x'.repeat(800_000) };
      const job = await addOne(bench.store, { data });
      expect((await bench.store.get([job._id]))[0]?.data).toEqual(data);
    });
  });
}
