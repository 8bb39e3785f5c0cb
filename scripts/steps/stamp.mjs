import { createHash } from 'node:crypto';
import { readdirSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { ROOT } from './repository.mjs';

/** A stamp remembers what a step was last done for. It lies in node_modules, so that it goes when that goes. */
const place = (name) => join(ROOT, 'node_modules', `.monque-${name}`);

export function readStamp(name) {
  try {
    return readFileSync(place(name), 'utf8');
  } catch {
    return undefined;
  }
}

export function writeStamp(name, value) {
  writeFileSync(place(name), value);
}

/** A hash over files and folders, by names and contents. */
export function hashOf(paths) {
  const hash = createHash('sha256');
  for (const path of paths.flatMap(filesIn)) {
    hash
      .update(`${path}\0`)
      .update(readFileSync(join(ROOT, path)))
      .update('\0');
  }
  return hash.digest('hex');
}

function filesIn(path) {
  if (!statSync(join(ROOT, path)).isDirectory()) return [path];
  return readdirSync(join(ROOT, path))
    .sort()
    .flatMap((name) => filesIn(`${path}/${name}`));
}
