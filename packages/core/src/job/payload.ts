import { types } from 'node:util';
import { InvalidPayloadError, PayloadTooLargeError } from '../errors/input-errors.js';
import type { PayloadRules } from '../store/store-options.js';
import { dataPath } from './data-path.js';
import { failReasonOf, toError } from './thrown.js';

/** Deeper documents are refused by MongoDB. */
const MAX_DEPTH = 100;

/** Upper bounds of what values take in BSON or in JSON, whichever takes more, in bytes. */
const BYTES_PER_VALUE = 32;
const BYTES_PER_CHARACTER = 6;
const BYTES_PER_BINARY_BYTE = 16;

const MAX_INT64 = 2n ** 63n - 1n;
const MIN_INT64 = -(2n ** 63n);

/**
 * Accepts a payload or a result that the store can hold. This runs for every job, so small plain data is
 * walked once and, being small beyond doubt, not measured.
 *
 * @param maxBytes - The user's own limit, where it is lower than the store's.
 * @returns Bytes that it takes at most; its exact size where that had to be measured.
 * @throws InvalidPayloadError | PayloadTooLargeError
 */
export function checkPayload(
  data: unknown,
  rules: PayloadRules,
  maxBytes: number | undefined,
  what: 'payload' | 'result',
): number {
  const limit = Math.min(maxBytes ?? rules.maxBytes, rules.maxBytes);
  // A result is a by-product of its handler: what JSON makes of it is better than a failed run.
  const walk = new PayloadWalk(rules.bigint, rules.json === true && what === 'payload', limit);
  const root = what === 'payload' ? 'data' : 'result';
  const problem = attempt(() => walk.visit(data));
  if (problem !== undefined) throw refused(problem, dataPath(root, walk.path), what);
  if (walk.bytesAtMost <= limit) return walk.bytesAtMost;

  let size = walk.bytesAtLeast;
  // More values than bytes allowed: measuring would only take as long again, or for ever.
  if (size <= limit) {
    const unmeasurable = attempt(() => {
      size = rules.sizeOf(data);
      return undefined;
    });
    if (unmeasurable !== undefined) throw refused(unmeasurable, root, what);
  }
  if (size > limit) {
    throw new PayloadTooLargeError(
      `The ${what} is too large: ${size} bytes, while ${limit} are allowed. Store it elsewhere and pass a reference`,
      size,
      limit,
    );
  }
  return size;
}

/** Runs a check in which code of the payload's own, such as a getter, may throw. */
function attempt(check: () => string | undefined): string | undefined {
  try {
    return check();
  } catch (error) {
    return `cannot be read: ${failReasonOf(toError(error))}`;
  }
}

function refused(problem: string, path: string, what: string): InvalidPayloadError {
  return new InvalidPayloadError(`The ${what} cannot be stored: ${path} ${problem}`, [
    { message: problem, path },
  ]);
}

/** One walk over one payload. It stops at the first problem, with `path` leading there. */
class PayloadWalk {
  /** Keys from the root to the value being visited. */
  readonly path: PropertyKey[] = [];
  /** What is stored takes no more than this; Infinity where that cannot be told. */
  bytesAtMost = 0;
  /** And no less than this: every value takes a byte. */
  bytesAtLeast = 0;
  readonly #bigint: boolean;
  readonly #json: boolean;
  readonly #limit: number;
  /** Objects from the root to the value being visited, to find circles. */
  readonly #ancestors: object[] = [];

  constructor(bigint: boolean, json: boolean, limit: number) {
    this.#bigint = bigint;
    this.#json = json;
    this.#limit = limit;
  }

  /** What is wrong with a value, or undefined. */
  visit(value: unknown): string | undefined {
    // An undefined member is left out by every store.
    if (value === undefined) return undefined;
    this.bytesAtMost += BYTES_PER_VALUE;
    this.bytesAtLeast += 1;
    switch (typeof value) {
      case 'string':
        this.bytesAtMost += value.length * BYTES_PER_CHARACTER;
        return undefined;
      case 'object':
        return value === null ? undefined : this.#visitObject(value);
      case 'number':
        return this.#json && !Number.isFinite(value)
          ? `is ${value}, which JSON does not know. Pass null or a text`
          : undefined;
      case 'function':
        return 'is a function';
      case 'symbol':
        return 'is a symbol';
      case 'bigint':
        if (!this.#bigint) return 'is a BigInt, which this store cannot hold. Pass it as a string';
        return value > MAX_INT64 || value < MIN_INT64
          ? 'is a BigInt beyond 64 bits. Pass it as a string'
          : undefined;
      default:
        return undefined;
    }
  }

  #visitObject(value: object): string | undefined {
    if (this.#ancestors.includes(value)) return 'refers back to what contains it';
    if (this.#ancestors.length >= MAX_DEPTH) return `is nested deeper than ${MAX_DEPTH} levels`;
    const isArray = Array.isArray(value);
    if (!isArray) {
      const prototype: unknown = Object.getPrototypeOf(value);
      const isPlain = prototype === Object.prototype || prototype === null;
      if (!isPlain) {
        const special = this.#visitSpecial(value);
        if (special !== 'walk') return special;
      }
    }
    this.#ancestors.push(value);
    const problem = isArray ? this.#visitItems(value) : this.#visitMembers(value);
    this.#ancestors.pop();
    return problem;
  }

  #visitItems(items: readonly unknown[]): string | undefined {
    // A length is cheap to claim: an array of four billion holes is refused by its length, not by a walk.
    if (items.length > this.#limit) {
      this.bytesAtLeast += items.length;
      this.bytesAtMost = Number.POSITIVE_INFINITY;
      return undefined;
    }
    for (let index = 0; index < items.length; index++) {
      this.path.push(index);
      const problem = this.visit(items[index]);
      if (problem !== undefined) return problem;
      this.path.pop();
      if (this.bytesAtLeast > this.#limit) return undefined;
    }
    return undefined;
  }

  #visitMembers(value: object): string | undefined {
    for (const key of Object.keys(value)) {
      this.path.push(key);
      if (key.includes('\0')) return 'has a key with a NUL character';
      if (key === '_bsontype') return 'is a reserved key. Rename it';
      this.bytesAtMost += key.length * BYTES_PER_CHARACTER;
      const problem = this.visit((value as Record<string, unknown>)[key]);
      if (problem !== undefined) return problem;
      this.path.pop();
      if (this.bytesAtLeast > this.#limit) return undefined;
    }
    return undefined;
  }

  /** Objects that are neither plain nor arrays: `walk` where only their members count. */
  #visitSpecial(value: object): string | undefined {
    if (types.isDate(value)) {
      return Number.isNaN(Date.prototype.getTime.call(value)) ? 'is an invalid Date' : undefined;
    }
    if (this.#json && ArrayBuffer.isView(value)) {
      return 'is binary data, which JSON does not know. Pass it as a text in base64';
    }
    if (this.#json && types.isRegExp(value)) return 'is a RegExp, which JSON does not know. Pass its source';
    if (types.isUint8Array(value)) {
      this.bytesAtMost += value.byteLength * BYTES_PER_BINARY_BYTE;
      return undefined;
    }
    const name = unstorableKind(value);
    if (name !== undefined) return `is a ${name}, which cannot be stored. Convert it to plain data`;
    // From here on the store's own measure counts: how these are written is the driver's business.
    this.bytesAtMost = Number.POSITIVE_INFINITY;
    if (types.isRegExp(value) || isBsonValue(value)) return undefined;
    return 'walk';
  }
}

function unstorableKind(value: object): string | undefined {
  if (types.isMap(value)) return 'Map';
  if (types.isSet(value)) return 'Set';
  if (types.isWeakMap(value)) return 'WeakMap';
  if (types.isWeakSet(value)) return 'WeakSet';
  if (types.isPromise(value)) return 'Promise';
  if (types.isAnyArrayBuffer(value)) return 'ArrayBuffer';
  return undefined;
}

/**
 * An ObjectId, Decimal128 and the like, or an object that knows how to become BSON, as documents of Mongoose do.
 * Only what its class says counts: the same keys in plain data, which may come from anyone, make no such value.
 */
function isBsonValue(value: object): boolean {
  const { _bsontype, toBSON } = Object.getPrototypeOf(value) as { _bsontype?: unknown; toBSON?: unknown };
  return typeof _bsontype === 'string' || typeof toBSON === 'function';
}
