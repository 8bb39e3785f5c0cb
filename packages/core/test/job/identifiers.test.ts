import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { InvalidJobIdentifierError } from '../../src/errors/input-errors.js';
import { validateJobName, validateUniqueKey } from '../../src/job/identifiers.js';

const caught = (check: () => void): InvalidJobIdentifierError => {
  try {
    check();
  } catch (error) {
    if (error instanceof InvalidJobIdentifierError) return error;
    throw error;
  }
  throw new Error('Nothing was thrown');
};

describe('validateJobName', () => {
  test.each(['send-email', 'a', 'Mail.send:v2/eu#1', 'äöü', '📨', '$where', 'x'.repeat(255)])(
    'accepts %s',
    (name) => {
      expect(() => validateJobName(name)).not.toThrow();
    },
  );

  test.each([
    ['', 'empty'],
    [' ', 'white space'],
    ['send email', 'white space'],
    ['a\tb', 'white space'],
    ['a\u00a0b', 'white space'],
    ['a\u2028b', 'white space'],
    ['a\0b', 'control characters'],
    ['a\u0085b', 'control characters'],
    ['x'.repeat(256), 'at most 255'],
  ])('refuses %j', (name, reason) => {
    const error = caught(() => validateJobName(name));
    expect(error.field).toBe('name');
    expect(error.value).toBe(name);
    expect(error.message).toContain(reason);
  });

  test.each([undefined, null, 5, {}, [], { $ne: null }, Symbol('x'), () => 'x'])(
    'refuses %s, which is no text',
    (name) => {
      expect(caught(() => validateJobName(name as string)).message).toContain('must be a string');
    },
  );
});

describe('validateUniqueKey', () => {
  test.each(['user-123', 'with blanks inside', ' x', 'x'.repeat(1_024)])('accepts %s', (key) => {
    expect(() => validateUniqueKey(key)).not.toThrow();
  });

  test.each([
    ['', 'blank'],
    ['   ', 'blank'],
    ['\t\n', 'blank'],
    ['a\nb', 'control characters'],
    ['a\u007fb', 'control characters'],
    ['x'.repeat(1_025), 'at most 1024'],
  ])('refuses %j', (key, reason) => {
    const error = caught(() => validateUniqueKey(key));
    expect(error.field).toBe('uniqueKey');
    expect(error.value).toBe(key);
    expect(error.message).toContain(reason);
  });

  test('throws nothing but its own error, whatever it is given', () => {
    fc.assert(
      fc.property(fc.anything({ withNullPrototype: true, withBigInt: true }), (value) => {
        for (const check of [validateJobName, validateUniqueKey]) {
          try {
            check(value as string);
            expect(typeof value).toBe('string');
          } catch (error) {
            if (!(error instanceof InvalidJobIdentifierError)) throw error;
          }
        }
      }),
    );
  });
});
