import { testDatabase } from '@monque/test-servers/vitest';
import { ObjectId } from 'mongodb';
import { beforeAll, describe, expect, test } from 'vitest';
import { isMongoDb } from '../../src/mongodb/is-mongo-db.js';
import type { JobStore } from '../../src/store/port.js';
import { openStore } from './open-store.js';

const { db, client, available } = testDatabase();
const HEX = '6760a1234567890abcdef123';
let store: JobStore<ObjectId>;

describe.skipIf(!available)('Ids', () => {
  beforeAll(async () => {
    store = await openStore(db);
  });

  test('an ObjectId stands for itself', () => {
    const id = new ObjectId();
    expect(store.parseId(id)).toEqual(id);
  });

  test('an ObjectId of another copy of the driver becomes one of ours', () => {
    const foreign = { _bsontype: 'ObjectId', toHexString: () => HEX };
    expect(store.parseId(foreign)).toBeInstanceOf(ObjectId);
    expect(store.parseId(foreign)).toEqual(new ObjectId(HEX));
  });

  test('24 hexadecimal digits are an id', () => {
    expect(store.parseId(HEX)).toEqual(new ObjectId(HEX));
  });

  test.each<{ value: unknown }>([
    { value: 'twelve-chars' },
    { value: `${HEX}0` },
    { value: `${HEX}\n` },
    { value: new Uint8Array(12) },
    { value: 42 },
    { value: { $oid: HEX } },
    { value: { _bsontype: 'ObjectId' } },
    { value: { _bsontype: 'ObjectId', toHexString: () => 'no' } },
    { value: { _bsontype: 'Long', toHexString: () => HEX } },
  ])('$value is none', ({ value }) => {
    expect(store.parseId(value)).toBeUndefined();
  });

  test('a Db is known by its shape', () => {
    expect(isMongoDb(db)).toBe(true);
    for (const other of [undefined, null, 'db', client, {}, { databaseName: 'x' }, store]) {
      expect(isMongoDb(other)).toBe(false);
    }
  });

  test('the size of a payload is its size as a document', () => {
    expect(store.payload.sizeOf({ text: 'x'.repeat(1_000) })).toBeGreaterThan(1_000);
    expect(store.payload.sizeOf({ text: 'x'.repeat(1_000) })).toBeLessThan(1_100);
    expect(store.payload.sizeOf(undefined)).toBeLessThan(100);
    // What the driver refuses to measure is estimated.
    expect(store.payload.sizeOf({ id: { _bsontype: 'ObjectId', id: 'of another version' } })).toBeGreaterThan(
      0,
    );
  });
});
