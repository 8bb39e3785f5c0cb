import { execFile } from 'node:child_process';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { firstLine } from '../first-line.js';
import { unprivilegedUser } from './unprivileged-user.js';

const run = promisify(execFile);

/** A folder with PostgreSQL's own `initdb` and `postgres`, which run on this machine. */
export interface PostgresPrograms {
  readonly folder: string;
  readonly version: string;
  /** Where they came from, for people to read. */
  readonly origin: string;
}

/** What a place that may hold the programs answers: where they are, or why there are none. */
export type ProgramsAnswer = PostgresPrograms | { readonly missing: string };

/** Asks the programs for their version, as the user that will run them, which also shows that they run here. */
export async function askPrograms(folder: string, origin: string): Promise<ProgramsAnswer> {
  try {
    const user = await unprivilegedUser();
    await run(join(folder, 'initdb'), ['--version'], { timeout: 10_000, ...user });
    const { stdout } = await run(join(folder, 'postgres'), ['--version'], { timeout: 10_000, ...user });
    const version = /(\d+\.\d+)/.exec(stdout)?.[1];
    return version ? { folder, version, origin } : { missing: `${folder} names no version` };
  } catch (error) {
    return { missing: `the programs in ${folder} do not run: ${firstLine(error)}` };
  }
}
