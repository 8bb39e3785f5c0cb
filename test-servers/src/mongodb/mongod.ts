import { execFile } from 'node:child_process';
import { promisify } from 'node:util';
import { firstLine } from '../first-line.js';

const run = promisify(execFile);

/** A mongod program that was found, and that runs on this machine. */
export interface Mongod {
  readonly path: string;
  readonly version: string;
  /** Where it came from, for people to read. */
  readonly origin: string;
}

/** What a place that may hold a mongod answers: the program, or why there is none. */
export type MongodAnswer = Mongod | { readonly missing: string };

/**
 * Asks a program for its version. This also shows that it runs here: one that was built for another system fails
 * on its shared libraries at this point, and not later in the middle of a test.
 */
export async function askMongod(path: string, origin: string): Promise<MongodAnswer> {
  try {
    const { stdout } = await run(path, ['--version'], { timeout: 10_000 });
    const version = /db version v(\d+\.\d+\.\d+)/.exec(stdout)?.[1];
    return version ? { path, version, origin } : { missing: `${path} names no version` };
  } catch (error) {
    return { missing: `${path} does not run: ${firstLine(error)}` };
  }
}
