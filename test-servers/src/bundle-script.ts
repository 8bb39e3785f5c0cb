import { mkdirSync, renameSync, writeFileSync } from 'node:fs';
import { dirname, join, relative, sep } from 'node:path';
import { fileURLToPath } from 'node:url';
import { buildSync } from 'esbuild';

const ROOT = fileURLToPath(new URL('../../', import.meta.url));
const EXIT_WITH_PARENT = fileURLToPath(new URL('./exit-with-parent.ts', import.meta.url));

/** Inside node_modules, from where a bundle finds other packages. */
const FOLDER = join(ROOT, 'node_modules', '.cache', 'monque-scripts');

const bundles = new Map<string, string>();

/**
 * Makes one file of a TypeScript program and of the workspace's sources that it imports, once per process; answers where
 * it is. A program that loads three hundred sources one by one needs six times as long to start.
 */
export function bundleScript(path: string): string {
  let bundle = bundles.get(path);
  if (bundle === undefined) {
    bundle = join(FOLDER, `${relative(ROOT, path).split(sep).join('-')}.mjs`);
    replaceFile(bundle, bundled(path, bundle));
    bundles.set(path, bundle);
  }
  return bundle;
}

function bundled(path: string, outfile: string): Uint8Array {
  const imports = [EXIT_WITH_PARENT, path].map((module) => `import ${JSON.stringify(module)};`);
  const { outputFiles } = buildSync({
    stdin: { contents: imports.join('\n'), resolveDir: ROOT },
    outfile,
    write: false,
    bundle: true,
    format: 'esm',
    platform: 'node',
    target: 'node20',
    sourcemap: 'inline',
    // The packages of the workspace come from their sources, as in tests; all others are found in node_modules.
    tsconfig: join(ROOT, 'tsconfig.json'),
    packages: 'external',
    // A package says of all its files that importing them does nothing. Of a program among its tests that is not true.
    ignoreAnnotations: true,
  });
  const [file] = outputFiles;
  if (file === undefined) throw new Error(`${path} came to no bundle`);
  return file.contents;
}

/** In one step: tests in other processes start the same program. */
function replaceFile(path: string, contents: Uint8Array): void {
  mkdirSync(dirname(path), { recursive: true });
  const complete = `${path}.${process.pid}`;
  writeFileSync(complete, contents);
  renameSync(complete, path);
}
