import { onTestFinished } from 'vitest';
import { Script, type SpawnScriptOptions } from '../child-process.js';

/**
 * Starts a TypeScript program in a process of its own for the length of the current test, and kills it after the test
 * if it still runs. Outside a test, use `await using script = new Script(...)`.
 */
export function spawnScript(path: string | URL, options?: SpawnScriptOptions): Script {
  const script = new Script(path, options);
  onTestFinished(() => script[Symbol.asyncDispose]());
  return script;
}
