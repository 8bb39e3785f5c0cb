import { chmodSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { delimiter, dirname, join } from 'node:path';
import { onTestFinished } from 'vitest';

/** An imaginary machine: a home and a PATH of its own. It is gone after the test. */
export interface Machine {
  readonly home: string;
  readonly env: NodeJS.ProcessEnv;
  /** Puts a shell script on the machine and answers its path. Names without a folder are on its PATH. */
  addProgram(name: string, script: string): string;
}

export function makeMachine(env: NodeJS.ProcessEnv = {}): Machine {
  const home = mkdtempSync(join(tmpdir(), 'monque-machine-'));
  onTestFinished(() => rmSync(home, { recursive: true, force: true }));
  const bin = join(home, 'bin');
  mkdirSync(bin);
  return {
    home,
    // The real folders come last: scripts need a shell and its tools, but find no mongod there.
    env: { HOME: home, PATH: [bin, '/usr/bin', '/bin'].join(delimiter), ...env },
    addProgram(name, script) {
      const path = name.includes('/') ? join(home, name) : join(bin, name);
      mkdirSync(dirname(path), { recursive: true });
      writeFileSync(path, `#!/bin/sh\n${script}\n`);
      chmodSync(path, 0o755);
      return path;
    },
  };
}

/** A script that answers as mongod does when it is asked for its version. */
export function mongodScript(version: string): string {
  return `echo "db version v${version}"`;
}
