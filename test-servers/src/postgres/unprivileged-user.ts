import { execFile } from 'node:child_process';
import { promisify } from 'node:util';

const run = promisify(execFile);

/** Ids of a user, in the form that `spawn` takes. */
export interface UnprivilegedUser {
  readonly uid: number;
  readonly gid: number;
}

/** Whom to run a server as: PostgreSQL refuses to run as root. Undefined where we are not root, and so need nobody else. */
export async function unprivilegedUser(): Promise<UnprivilegedUser | undefined> {
  if (process.getuid?.() !== 0) return undefined;
  const [uid, gid] = await Promise.all([idOf('-u'), idOf('-g')]);
  return { uid, gid };
}

/** Every system has this one, so none must be made. */
async function idOf(flag: '-u' | '-g'): Promise<number> {
  return Number((await run('id', [flag, 'nobody'])).stdout);
}
