import fc from 'fast-check';

/** What no caller means well by. Made anew for every use: some of it changes when it is touched. */
const MAKERS: readonly (() => unknown)[] = [
  // Operators, which must never reach a query.
  () => ({ $ne: null }),
  () => ({ $gt: '' }),
  () => ({ $where: 'while (true) {}' }),
  () => ({ $regex: '(a+)+$' }),
  () => [{ $ne: null }],
  () => ({ $in: ['pending', 'processing'] }),
  () => /(a+)+$/,
  () => "' OR 1=1 --",
  () => "'; DROP TABLE Jobs; --",
  // Prototypes.
  () => JSON.parse('{"__proto__":{"polluted":true}}'),
  () => ({ constructor: { prototype: { polluted: true } } }),
  () => Object.create({ polluted: true }),
  () => Object.assign(Object.create(null), { name: 'work' }),
  () => '__proto__',
  () => 'constructor',
  // Objects that bite.
  () => new Proxy({}, { get: thrower, has: thrower, ownKeys: thrower, getPrototypeOf: thrower }),
  () => Object.defineProperty({}, 'name', { enumerable: true, get: thrower }),
  () => ({ toString: thrower, valueOf: thrower, [Symbol.toPrimitive]: thrower, toJSON: thrower }),
  () => ({ toString: () => 'work' }),
  () => ({ toHexString: () => '000000000000000000000000', _bsontype: 'ObjectId' }),
  // biome-ignore lint/suspicious/noThenProperty: a thenable is what this is about.
  () => ({ then: (resolve: (value: unknown) => void) => resolve({ $ne: null }) }),
  () => circular(),
  () => nested(20_000),
  () => Array(100_000).fill('pending'),
  // Texts.
  () => '',
  () => ' ',
  () => '\u0000',
  () => '\ud800',
  () => 'a'.repeat(1_000_000),
  () => `${'a'.repeat(50_000)}!`,
  () => '*/'.repeat(50_000),
  () => '1,'.repeat(50_000),
  () => Buffer.from('{"$ne":null}').toString('base64url'),
  // Numbers and the rest.
  () => Number.NaN,
  () => Number.POSITIVE_INFINITY,
  () => -1,
  () => 0.5,
  () => Number.MAX_SAFE_INTEGER,
  () => 10n ** 30n,
  () => Symbol('symbol'),
  () => thrower,
  () => new Date(Number.NaN),
  () => new Date(8.64e15),
  () => null,
  () => undefined,
];

function thrower(): never {
  throw new Error('Touched');
}

function circular(): object {
  const value: { self?: object } = {};
  value.self = value;
  return value;
}

function nested(depth: number): object {
  let value: object = {};
  for (let index = 0; index < depth; index++) value = { value };
  return value;
}

/** Makes a value. The values themselves are kept from fast-check, which would touch them. */
export type Maker = () => unknown;

/** Anything at all, and more often what is meant to harm. */
export const hostile: fc.Arbitrary<Maker> = fc.oneof(
  { weight: 3, arbitrary: fc.constantFrom(...MAKERS) },
  {
    weight: 1,
    arbitrary: fc
      .anything({ maxDepth: 3, withBigInt: true, withDate: true, withNullPrototype: true })
      .map((value) => () => value),
  },
);

/** A hostile value, or one of these, so that the hostile ones get past the checks of the others. */
export function or(...valid: readonly unknown[]): fc.Arbitrary<Maker> {
  return fc.oneof(hostile, fc.constantFrom(...valid.map((value) => () => value)));
}

/** An object with some of these keys, or something hostile in its place. */
export function options(fields: Readonly<Record<string, fc.Arbitrary<Maker>>>): fc.Arbitrary<Maker> {
  const given = fc
    .record(fields, { requiredKeys: [] })
    .map((makers) => () => Object.fromEntries(Object.entries(makers).map(([key, make]) => [key, make?.()])));
  return fc.oneof(
    { weight: 4, arbitrary: given },
    { weight: 1, arbitrary: hostile },
    { weight: 1, arbitrary: fc.constant(() => undefined) },
  );
}

/** A list of these, or something hostile in its place. */
export function list(items: fc.Arbitrary<Maker>): fc.Arbitrary<Maker> {
  const given = fc.array(items, { maxLength: 3 }).map((makers) => () => makers.map((make) => make()));
  return fc.oneof({ weight: 4, arbitrary: given }, { weight: 1, arbitrary: hostile });
}
