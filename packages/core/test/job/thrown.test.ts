import vm from 'node:vm';
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { failReasonOf, stackOf, toError } from '../../src/job/thrown.js';

const throwing = () => {
  throw new Error('mine');
};
const revoked = () => {
  const { proxy, revoke } = Proxy.revocable({}, {});
  revoke();
  return proxy;
};
const circular = () => {
  const value: Record<string, unknown> = {};
  value.self = value;
  return value;
};

describe('toError', () => {
  test('leaves an error as it is, frozen or from another realm', () => {
    const frozen = Object.freeze(new TypeError('m'));
    expect(toError(frozen)).toBe(frozen);
    const foreign: unknown = vm.runInNewContext('new Error("m")');
    expect(foreign).not.toBeInstanceOf(Error);
    expect(toError(foreign)).toBe(foreign);
  });

  test.each([
    ['plain text', 'plain text'],
    [42, '42'],
    [0, '0'],
    [10n, '10'],
    [true, 'true'],
    [undefined, 'undefined'],
    [null, 'null'],
    [Symbol('sign'), 'Symbol(sign)'],
    [{ message: 'from a library' }, 'from a library'],
    [{ code: 7 }, '{"code":7}'],
    [Object.freeze({ code: 7 }), '{"code":7}'],
    [{ toString: () => 'its own text' }, 'its own text'],
    [[1, 2], '1,2'],
    [circular(), '[object Object]'],
  ])('makes an error of %s with its text', (thrown, text) => {
    const error = toError(thrown);
    expect(error).toBeInstanceOf(Error);
    expect(error.message).toBe(text);
    expect(error.cause).toBe(thrown);
  });

  test.each([
    ['a throwing toString', { toString: throwing }],
    ['a throwing message', Object.defineProperty({}, 'message', { get: throwing })],
    ['throwing everything', new Proxy({}, { get: throwing, ownKeys: throwing, getPrototypeOf: throwing })],
    ['a revoked proxy', revoked()],
    ['no prototype', Object.create(null)],
    ['a function with a throwing toString', Object.assign(() => 1, { toString: throwing })],
  ])('survives %s', (_, thrown) => {
    expect(failReasonOf(toError(thrown))).not.toBe('');
  });

  test('never throws, and always gives a reason', () => {
    fc.assert(
      fc.property(fc.anything({ withNullPrototype: true, withBigInt: true, withDate: true }), (thrown) => {
        const error = toError(thrown);
        expect(typeof failReasonOf(error)).toBe('string');
        expect(failReasonOf(error)).not.toBe('');
        expect(['string', 'undefined']).toContain(typeof stackOf(error));
      }),
    );
  });
});

describe('failReasonOf', () => {
  test('is the message, or the name where that is empty', () => {
    expect(failReasonOf(new Error('m'))).toBe('m');
    expect(failReasonOf(new TypeError())).toBe('TypeError');
    expect(failReasonOf(Object.assign(new Error(), { name: '' }))).toBe('Error');
    expect(failReasonOf(Object.assign(new Error('m'), { message: 5 }) as unknown as Error)).toBe('Error');
  });

  test('survives a message that throws', () => {
    expect(failReasonOf(Object.defineProperty(new Error('m'), 'message', { get: throwing }))).toBe('Error');
  });

  test('is shortened to 8,192 characters with a note, and cuts no character in two', () => {
    expect(failReasonOf(new Error('x'.repeat(8_192)))).toBe('x'.repeat(8_192));
    const reason = failReasonOf(new Error('x'.repeat(100_000)));
    expect(reason).toHaveLength(8_192);
    expect(reason).toContain('shortened from 100000 characters');
    for (const pad of ['', 'x']) {
      const emoji = failReasonOf(new Error(pad + '📨'.repeat(10_000)));
      expect(emoji.length).toBeLessThanOrEqual(8_192);
      expect(emoji.isWellFormed()).toBe(true);
    }
  });
});

describe('stackOf', () => {
  test('is the stack, shortened to 16,384 characters', () => {
    expect(stackOf(new Error('m'))).toMatch(/^Error: m\n/);
    expect(stackOf(Object.assign(new Error('m'), { stack: 'y'.repeat(50_000) }))).toHaveLength(16_384);
  });

  test('is absent where there is none', () => {
    for (const stack of [undefined, '', 5]) {
      expect(stackOf(Object.assign(new Error('m'), { stack }) as Error)).toBeUndefined();
    }
    expect(stackOf(Object.defineProperty(new Error('m'), 'stack', { get: throwing }))).toBeUndefined();
  });
});
