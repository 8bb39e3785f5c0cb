import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { join } from 'node:path';

const require = createRequire(import.meta.url);

/** The version of an installed package. Read from disk, since not every package exports its manifest. */
export function versionOf(name: string): string {
  for (const folder of require.resolve.paths(name) ?? []) {
    try {
      const manifest = JSON.parse(readFileSync(join(folder, name, 'package.json'), 'utf8'));
      return String(manifest.version);
    } catch {
      // Not in this folder.
    }
  }
  return 'unknown';
}
