/** One text for a list of names, to tell whether two lists are the same. Names hold no control characters. */
export function keyOfNames(names: readonly string[]): string {
  return names.join('\n');
}
