/**
 * `npm run lock`: installs after a change of dependencies, and completes package-lock.json.
 *
 * Some tools come as one package per platform. Where the registry at hand does not have all of them, npm leaves those
 * out of the lock file, and `npm ci` refuses such a file. Their names and versions are known without the registry, from
 * the package that wants them, so they are added here; only their checksums stay unknown.
 */
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { ROOT } from './steps/repository.mjs';
import { main, run } from './steps/run.mjs';

const PLATFORM =
  /(?<os>android|darwin|freebsd|linux|openharmony|win32)-(?<cpu>arm64|arm|x64|ia32|ppc64|riscv64|s390x)(?:-(?<abi>\w+))?$/;

await main(async () => {
  await run('npm', ['install']);
  const path = join(ROOT, 'package-lock.json');
  const lock = JSON.parse(readFileSync(path, 'utf8'));
  const added = Object.keys(lock.packages).flatMap((dependent) => complete(lock.packages, dependent));
  if (added.length === 0) return;
  lock.packages = Object.fromEntries(
    Object.entries(lock.packages).sort(([a], [b]) => a.localeCompare(b, 'en')),
  );
  writeFileSync(path, `${JSON.stringify(lock, null, 2)}\n`);
  console.log(`Added to package-lock.json:\n${added.join('\n')}`);
});

/** Adds the platform packages that a package wants and the lock file lacks; answers where they were added. */
function complete(packages, dependent) {
  const { optionalDependencies = {}, dev, peer } = packages[dependent];
  return Object.entries(optionalDependencies).flatMap(([name, version]) => {
    const platform = platformOf(name);
    const found = lookUp(packages, dependent, name);
    if (!platform || !/^\d+\.\d+\.\d+$/.test(version) || packages[found]?.version === version) return [];
    // Another version holds the place at the top: then this one belongs beside the package that wants it.
    const folder = found === undefined ? '' : dependent.slice(0, dependent.lastIndexOf('node_modules/'));
    const place = `${folder}node_modules/${name}`;
    const { cpu, libc, os } = platform;
    packages[place] = JSON.parse(JSON.stringify({ version, cpu, dev, libc, optional: true, os, peer }));
    return [place];
  });
}

/** Where Node finds a package that another one asks for: in the nearest node_modules above it. */
function lookUp(packages, dependent, name) {
  for (
    let folder = dependent;
    ;
    folder = folder.slice(0, Math.max(0, folder.lastIndexOf('/node_modules/')))
  ) {
    const place = `${folder === '' ? '' : `${folder}/`}node_modules/${name}`;
    if (packages[place] || folder === '') return packages[place] && place;
  }
}

function platformOf(name) {
  if (name.endsWith('-wasm32-wasi')) return { cpu: ['wasm32'] };
  const { os, cpu, abi } = PLATFORM.exec(name)?.groups ?? {};
  if (!os) return undefined;
  const libc = abi?.startsWith('musl') ? ['musl'] : abi?.startsWith('gnu') ? ['glibc'] : undefined;
  return { cpu: [cpu], libc, os: [os] };
}
