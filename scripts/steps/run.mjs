import { spawn } from 'node:child_process';
import { delimiter, join } from 'node:path';
import { ROOT } from './repository.mjs';

/** A failure that a person can act on: shown as its message alone, without a stack. */
export class Failure extends Error {}

const env = { ...process.env, PATH: `${join(ROOT, 'node_modules', '.bin')}${delimiter}${process.env.PATH}` };

// npm and the tools are .cmd files on Windows, and those need a shell.
const shell = process.platform === 'win32';

/**
 * Runs a tool of the workspace and resolves with what it wrote, if it ends well. `variables` are added to its environment.
 *
 * @throws {Failure} with its output, if it does not.
 */
export async function run(command, args, { cwd = ROOT, variables = {} } = {}) {
  const stdio = ['ignore', 'pipe', 'pipe'];
  const child = spawn(command, args, { cwd, env: { ...env, ...variables }, shell, stdio });
  let output = '';
  child.stdout.on('data', (chunk) => {
    output += chunk;
  });
  child.stderr.on('data', (chunk) => {
    output += chunk;
  });
  const code = await ended(child);
  if (code !== 0) throw new Failure(`${[command, ...args].join(' ')} failed:\n${output.trim()}`);
  return output;
}

/**
 * Runs a tool on this terminal and resolves with its exit code. Ctrl-C reaches the tool, which decides what it means; we
 * only wait for its end.
 */
export async function runHere(command, args, { cwd = ROOT, variables = {} } = {}) {
  const child = spawn(command, args, { cwd, env: { ...env, ...variables }, shell, stdio: 'inherit' });
  const wait = () => {};
  const pass = (signal) => child.kill(signal);
  process.on('SIGINT', wait);
  process.on('SIGTERM', pass);
  try {
    return await ended(child);
  } finally {
    process.off('SIGINT', wait);
    process.off('SIGTERM', pass);
  }
}

function ended(child) {
  return new Promise((resolve, reject) => {
    child.once('error', (error) =>
      reject(new Failure(`${child.spawnfile} cannot be started: ${error.message}`)),
    );
    child.once('close', (code, signal) => resolve(signal ? 1 : code));
  });
}

/** Runs a script's body; a failure ends it with a message and exit code 1. */
export async function main(body) {
  try {
    process.exitCode = (await body()) ?? 0;
  } catch (error) {
    console.error(error instanceof Failure ? `\n${error.message}\n` : error);
    process.exitCode = 1;
  }
}
