const LONGEST_TEXT = 60;

/** A few words for any value, for error messages. Never throws, and never calls code of the value's own. */
export function describeValue(value: unknown): string {
  if (value === null) return 'null';
  switch (typeof value) {
    case 'string':
      return JSON.stringify(value.length > LONGEST_TEXT ? `${value.slice(0, LONGEST_TEXT)}…` : value);
    case 'bigint':
      return 'a BigInt';
    case 'symbol':
      return 'a symbol';
    case 'function':
      return 'a function';
    case 'object':
      return describeObject(value);
    default:
      return String(value);
  }
}

function describeObject(value: object): string {
  try {
    if (Array.isArray(value)) return 'an array';
    if (value instanceof Date) return Number.isNaN(value.getTime()) ? 'an invalid Date' : value.toISOString();
  } catch {
    // A revoked proxy refuses even these questions.
  }
  return 'an object';
}
