/**
 * Copies a value the way a database would give it back: dates and bytes stay what they are, instances of
 * classes become plain objects, members that are undefined are left out. Nobody outside ever holds a
 * reference into the store.
 */
export function copyValue<T>(value: T): T;
export function copyValue(value: unknown): unknown {
  if (typeof value !== 'object' || value === null) return value;
  if (value instanceof Date) return new Date(value);
  if (value instanceof Uint8Array) return Uint8Array.from(value);
  if (Array.isArray(value)) return value.map((item) => (isStorable(item) ? copyValue(item) : null));
  if (hasToJson(value)) return copyValue(value.toJSON());
  return copyMembers(value instanceof Map ? Object.fromEntries(value) : value);
}

function copyMembers(source: object): Record<string, unknown> {
  const copy: Record<string, unknown> = {};
  for (const key of Object.keys(source)) {
    const value = (source as Record<string, unknown>)[key];
    if (!isStorable(value)) continue;
    if (key === '__proto__') defineMember(copy, key, copyValue(value));
    else copy[key] = copyValue(value);
  }
  return copy;
}

/** An assignment would set the prototype instead. */
function defineMember(target: object, key: string, value: unknown): void {
  Object.defineProperty(target, key, { value, configurable: true, enumerable: true, writable: true });
}

function isStorable(value: unknown): boolean {
  return value !== undefined && typeof value !== 'function' && typeof value !== 'symbol';
}

function hasToJson(value: object): value is { toJSON(): unknown } {
  return 'toJSON' in value && typeof value.toJSON === 'function';
}
