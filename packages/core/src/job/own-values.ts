/**
 * What an object holds itself, read once: a getter cannot answer one thing to a check and another thing later.
 * Undefined where the object refuses to be read.
 */
export function ownValues(value: object): Readonly<Record<string, unknown>> | undefined {
  try {
    return Object.assign(Object.create(null), value);
  } catch {
    return undefined;
  }
}
