import { accessSync, constants } from 'node:fs';
import { delimiter, join } from 'node:path';
import { askMongod, type MongodAnswer } from './mongod.js';

/**
 * The mongod that this machine has: the one that `MONGOMS_SYSTEM_BINARY` names, else the first on `PATH`.
 *
 * @throws when `MONGOMS_SYSTEM_BINARY` names something that does not run: what was asked for by name is never
 * replaced by something else.
 */
export async function systemMongod(env: NodeJS.ProcessEnv): Promise<MongodAnswer> {
  const named = env.MONGOMS_SYSTEM_BINARY;
  if (named) {
    const answer = await askMongod(named, 'MONGOMS_SYSTEM_BINARY');
    if ('missing' in answer) throw new Error(`MONGOMS_SYSTEM_BINARY cannot be used: ${answer.missing}`);
    return answer;
  }

  const program = process.platform === 'win32' ? 'mongod.exe' : 'mongod';
  const onPath = (env.PATH ?? '')
    .split(delimiter)
    .filter((folder) => folder !== '')
    .map((folder) => join(folder, program))
    .find(isExecutable);
  return onPath ? askMongod(onPath, 'PATH') : { missing: 'no mongod on PATH' };
}

function isExecutable(path: string): boolean {
  try {
    accessSync(path, constants.X_OK);
    return true;
  } catch {
    return false;
  }
}
