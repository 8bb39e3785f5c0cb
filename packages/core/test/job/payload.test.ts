import fc from 'fast-check';
import { Binary, BSON, Decimal128, Long, ObjectId } from 'mongodb';
import { describe, expect, test, vi } from 'vitest';
import { InvalidPayloadError, PayloadTooLargeError } from '../../src/errors/input-errors.js';
import { checkPayload } from '../../src/job/payload.js';
import type { PayloadRules } from '../../src/store/store-options.js';

const bson: PayloadRules = {
  maxBytes: 16 * 1024 * 1024,
  bigint: true,
  sizeOf: (data) => BSON.calculateObjectSize({ data }),
};
const json: PayloadRules = {
  maxBytes: 16 * 1024 * 1024,
  bigint: false,
  sizeOf: (data) => Buffer.byteLength(JSON.stringify(data) ?? 'null'),
};

const accept = (data: unknown, rules = bson, maxBytes?: number) =>
  checkPayload(data, rules, maxBytes, 'payload');

function refusal(data: unknown, rules = bson): InvalidPayloadError {
  try {
    accept(data, rules);
  } catch (error) {
    if (error instanceof InvalidPayloadError) return error;
    throw error;
  }
  throw new Error('The payload was accepted');
}

function nested(levels: number): unknown {
  let value: unknown = 'core';
  for (let level = 0; level < levels; level++) value = level % 2 === 0 ? { inner: value } : [value];
  return value;
}

class Money {
  amount: number;
  currency = 'EUR';
  constructor(amount: number) {
    this.amount = amount;
  }
  double() {
    return this.amount * 2;
  }
}

describe('what can be stored is accepted', () => {
  test.each<[string, unknown]>([
    ['nothing', undefined],
    ['null', null],
    ['a text', 'x'],
    ['numbers', [0, -1.5, Number.MAX_SAFE_INTEGER]],
    ['a flag', true],
    ['an empty object', {}],
    ['an object without a prototype', Object.assign(Object.create(null), { a: 1 })],
    ['undefined members', { a: undefined, b: [undefined] }],
    ['a date', { at: new Date() }],
    ['a buffer', { file: Buffer.from('x') }],
    ['bytes', new Uint8Array(8)],
    ['an ObjectId', { id: new ObjectId() }],
    ['other BSON values', [Decimal128.fromString('1.5'), Long.fromNumber(5), new Binary(new Uint8Array(4))]],
    ['a class instance', new Money(5)],
    ['a regular expression', /x/],
    ['the same object twice, without a circle', ((shared) => ({ a: shared, b: [shared, shared] }))({ x: 1 })],
    ['100 levels', nested(100)],
    ['an own key __proto__', JSON.parse('{"__proto__": {"a": 1}}')],
    ['symbol keys, which are no data', { [Symbol('x')]: () => 1 }],
  ])('%s', (_, data) => {
    expect(() => accept(data)).not.toThrow();
    expect(() => accept(data, json)).not.toThrow();
  });

  test('a BigInt within 64 bits, where the store has them', () => {
    for (const value of [0n, 2n ** 63n - 1n, -(2n ** 63n)]) expect(() => accept({ value })).not.toThrow();
  });
});

describe('what cannot be stored is refused with its path', () => {
  const circle: Record<string, unknown> = { list: [{}] };
  (circle.list as unknown[])[1] = { back: circle };

  test.each<[string, unknown, string, string]>([
    ['a function', () => 1, 'data', 'function'],
    ['a nested function', { items: [0, 1, 2, { cb() {} }] }, 'data.items[3].cb', 'function'],
    ['a symbol', { a: Symbol('x') }, 'data.a', 'symbol'],
    ['a class', { a: Money }, 'data.a', 'function'],
    ['a method as a field', { a: { toJSON: () => 1 } }, 'data.a.toJSON', 'function'],
    ['a circle', circle, 'data.list[1].back', 'refers back'],
    ['a BigInt beyond 64 bits', { n: 2n ** 63n }, 'data.n', '64 bits'],
    ['a BigInt below 64 bits', { n: -(2n ** 63n) - 1n }, 'data.n', '64 bits'],
    ['a Map', { m: new Map() }, 'data.m', 'Map'],
    ['a Set', { m: new Set() }, 'data.m', 'Set'],
    ['a WeakMap', { m: new WeakMap() }, 'data.m', 'WeakMap'],
    ['a promise', { m: Promise.resolve(1) }, 'data.m', 'Promise'],
    ['an ArrayBuffer', { m: new ArrayBuffer(4) }, 'data.m', 'ArrayBuffer'],
    ['an invalid date', { at: new Date('never') }, 'data.at', 'invalid Date'],
    ['a key with NUL', { 'a\0b': 1 }, 'data["a\\u0000b"]', 'NUL'],
    [
      'a pretended BSON value',
      JSON.parse('{"id": {"_bsontype": "ObjectId"}}'),
      'data.id._bsontype',
      'reserved',
    ],
    ['an odd key', { 'odd key': { 'a.b': () => 1 } }, 'data["odd key"]["a.b"]', 'function'],
  ])('%s', (_, data, path, reason) => {
    const error = refusal(data);
    expect(error.issues).toEqual([{ message: expect.stringContaining(reason), path }]);
    expect(error.message).toContain(path);
  });

  test('101 levels, and any number of them', () => {
    expect(refusal(nested(101)).message).toContain('deeper than 100');
    expect(refusal(nested(100_000)).message).toContain('deeper than 100');
  });

  test('a BigInt where the store has none', () => {
    expect(refusal({ n: 5n }, json).issues[0]).toMatchObject({ path: 'data.n' });
  });

  describe('where it is kept as JSON', () => {
    const strict: PayloadRules = { ...json, json: true };

    test.each<[string, unknown, string, string]>([
      ['NaN', { n: Number.NaN }, 'data.n', 'NaN'],
      ['Infinity', [Number.NEGATIVE_INFINITY], 'data[0]', '-Infinity'],
      ['bytes', { file: new Uint8Array(2) }, 'data.file', 'binary'],
      ['numbers of another kind', { list: new Float64Array(2) }, 'data.list', 'binary'],
      ['a regular expression', { match: /x/ }, 'data.match', 'RegExp'],
    ])('%s', (_, data, path, reason) => {
      expect(refusal(data, strict).issues).toEqual([{ message: expect.stringContaining(reason), path }]);
    });

    test('but not in a result, and never a Date, which JSON writes as a text', () => {
      expect(() => checkPayload({ n: Number.NaN }, strict, undefined, 'result')).not.toThrow();
      expect(() => accept({ at: new Date(), n: 1.5, list: [] }, strict)).not.toThrow();
    });
  });

  test('a getter or a proxy that throws', () => {
    const hostile = {
      list: [
        {
          get secret() {
            throw new Error('mine');
          },
        },
      ],
    };
    expect(refusal(hostile).issues[0]).toEqual({
      message: 'cannot be read: mine',
      path: 'data.list[0].secret',
    });
    const { proxy, revoke } = Proxy.revocable({}, {});
    revoke();
    expect(refusal({ proxy }).issues[0]?.path).toBe('data.proxy');
  });

  test('a result is named as one', () => {
    expect(() => checkPayload({ a: () => 1 }, bson, undefined, 'result')).toThrow(
      /The result .* result\.a is a function/,
    );
  });
});

test('a getter is called once', () => {
  const get = vi.fn(() => 5);
  accept(Object.defineProperty({}, 'value', { get, enumerable: true }));
  expect(get).toHaveBeenCalledTimes(1);
});

describe('size', () => {
  test('the limit is exact, to the byte', () => {
    const data = { text: 'ä'.repeat(1_000) };
    const size = json.sizeOf(data);
    expect(() => accept(data, json, size)).not.toThrow();
    expect(() => accept(data, json, size - 1)).toThrow(
      expect.objectContaining({ name: 'PayloadTooLargeError', actualSize: size, maxSize: size - 1 }),
    );
  });

  test('the lower of both limits counts', () => {
    const small: PayloadRules = { ...json, maxBytes: 100 };
    expect(() => accept('x'.repeat(200), small)).toThrow(PayloadTooLargeError);
    expect(() => accept('x'.repeat(200), small, 1_000)).toThrow(expect.objectContaining({ maxSize: 100 }));
    expect(() => accept('x'.repeat(50), small, 20)).toThrow(expect.objectContaining({ maxSize: 20 }));
  });

  test('more than 16 MB of BSON is too large', () => {
    expect(() => accept({ text: 'x'.repeat(17 * 1024 * 1024) })).toThrow(PayloadTooLargeError);
  });

  test('small plain data is not measured', () => {
    const sizeOf = vi.fn(json.sizeOf);
    accept({ to: 'user@example.com', tags: ['a', 'b'], at: new Date() }, { ...json, sizeOf });
    expect(sizeOf).not.toHaveBeenCalled();
  });

  test('what the estimate lets through is never too large', () => {
    fc.assert(
      fc.property(fc.jsonValue({ maxDepth: 5 }), fc.integer({ min: 1, max: 2_000 }), (data, limit) => {
        for (const rules of [bson, json]) {
          const fits = rules.sizeOf(data) <= limit;
          const check = () => accept(data, { ...rules, maxBytes: limit });
          if (fits) expect(check).not.toThrow();
          else expect(check).toThrow(PayloadTooLargeError);
        }
      }),
      { numRuns: 500 },
    );
  });

  test('values that a driver writes in its own way are measured', () => {
    for (const data of [
      new Binary(new Uint8Array(1_000)),
      { id: Decimal128.fromString('1') },
      new Money(5),
    ]) {
      const sizeOf = vi.fn(bson.sizeOf);
      accept(data, { ...bson, sizeOf });
      expect(sizeOf).toHaveBeenCalledTimes(1);
    }
    expect(() => accept(new Binary(new Uint8Array(1_000)), bson, 500)).toThrow(PayloadTooLargeError);
  });

  test('a few objects that stand for an astronomic number end at once', () => {
    let value: unknown = 'x';
    for (let level = 0; level < 60; level++) value = [value, value];
    expect(() => accept(value, json, 100_000)).toThrow(PayloadTooLargeError);
  });

  test('an array of holes ends at once', () => {
    const holes: unknown[] = [];
    holes.length = 2 ** 32 - 1;
    expect(() => accept({ holes }, json)).toThrow(PayloadTooLargeError);
  });

  test('a store that cannot measure a payload refuses it', () => {
    const rules: PayloadRules = {
      ...json,
      maxBytes: 1,
      sizeOf: () => {
        throw new Error('no idea');
      },
    };
    expect(refusal({}, rules).message).toContain('no idea');
  });
});

test('nothing but typed errors is thrown, whatever is given', () => {
  const anything = fc.anything({
    withBigInt: true,
    withBoxedValues: true,
    withDate: true,
    withMap: true,
    withSet: true,
    withNullPrototype: true,
    withObjectString: true,
    withTypedArray: true,
    withSparseArray: true,
    withUnicodeString: true,
  } as fc.ObjectConstraints);
  fc.assert(
    fc.property(
      anything,
      fc.boolean(),
      fc.option(fc.integer({ min: 1, max: 100 }), { nil: undefined }),
      (data, big, limit) => {
        try {
          accept(data, big ? bson : json, limit);
        } catch (error) {
          if (!(error instanceof InvalidPayloadError || error instanceof PayloadTooLargeError)) throw error;
        }
      },
    ),
    { numRuns: 1_000 },
  );
});
