import { readFileSync } from 'node:fs';
import { expect, test } from 'vitest';

function manifest(path: string): { engines?: { node?: string }; peerDependencies?: Record<string, string> } {
  return JSON.parse(readFileSync(new URL(path, import.meta.url), 'utf8'));
}

test('the packages ask for Node 20.19, the oldest release that still gets fixes for what they use', () => {
  for (const folder of ['core', 'conformance']) {
    expect(manifest(`../../../${folder}/package.json`).engines?.node).toBe('>=20.19');
  }
});

test('the MongoDB driver is brought by the user, in the versions that its types were written against', () => {
  expect(manifest('../../package.json').peerDependencies?.mongodb).toBe('^6.0.0 || ^7.0.0');
});
