/** Where something is within a payload: `data.items[3]["odd key"]`. */
export function dataPath(root: string, keys: readonly PropertyKey[]): string {
  return keys.reduce<string>((path, key) => path + step(key), root);
}

function step(key: PropertyKey): string {
  if (typeof key === 'number') return `[${key}]`;
  const text = String(key);
  return /^[A-Za-z_$][\w$]*$/.test(text) ? `.${text}` : `[${JSON.stringify(text)}]`;
}
