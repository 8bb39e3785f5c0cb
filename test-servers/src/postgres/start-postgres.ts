import { execFile } from 'node:child_process';
import { chownSync } from 'node:fs';
import { createServer } from 'node:net';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { makeDataFolder, makeSubfolder, removeDataFolder } from '../data-folder.js';
import { locatePrograms } from './locate-programs.js';
import type { PostgresServer } from './postgres-server.js';
import { Postmaster } from './postmaster.js';
import type { PostgresPrograms } from './programs.js';
import { type UnprivilegedUser, unprivilegedUser } from './unprivileged-user.js';

const run = promisify(execFile);

/** A server of the caller's own, which may be killed and started again. */
export interface OwnPostgres extends PostgresServer {
  /** Of the running server. */
  readonly pid: number;
  /** Sends a signal to the server's main process. `SIGKILL` is a crash, `SIGINT` a fast shutdown. */
  kill(signal: NodeJS.Signals): void;
  /** Starts it again on the same port and with the same data, once the old one is gone. Resolves when it answers. */
  restart(): Promise<void>;
}

/**
 * Starts a PostgreSQL server that nobody else uses.
 *
 * @throws ServerUnavailableError when its programs cannot be had.
 */
export async function startPostgres(
  env: NodeJS.ProcessEnv = process.env,
  programs?: PostgresPrograms,
): Promise<OwnPostgres> {
  const { folder, version, origin } = programs ?? (await locatePrograms(env));
  const home = makeDataFolder();
  const user = await unprivilegedUser();
  const data = makeCluster(home, user);
  // Locale C: databases sort alike on every machine.
  const settings = ['-U', 'postgres', '--auth=trust', '--encoding=UTF8', '--locale=C', '--no-sync'];
  await run(join(folder, 'initdb'), ['-D', data, ...settings], { timeout: 60_000, cwd: data, ...user });

  const port = await freePort();
  const postmaster = new Postmaster({ program: join(folder, 'postgres'), data, port, user });
  const onExit = () => {
    postmaster.kill('SIGQUIT');
    removeDataFolder(home);
  };
  process.once('exit', onExit);
  let stopped: Promise<void> | undefined;
  const stop = () => {
    stopped ??= postmaster.stop().then(() => {
      process.off('exit', onExit);
      removeDataFolder(home);
    });
    return stopped;
  };
  await postmaster.start();
  return {
    url: postmaster.url,
    origin: `PostgreSQL ${version} from ${origin}`,
    get pid() {
      return postmaster.pid;
    },
    kill: (signal) => postmaster.kill(signal),
    restart: () => postmaster.start(),
    stop,
    [Symbol.asyncDispose]: stop,
  };
}

/** An empty folder that belongs to the user that the server runs as. */
function makeCluster(home: string, user: UnprivilegedUser | undefined): string {
  const data = makeSubfolder(home, 'data');
  if (user) for (const folder of [home, data]) chownSync(folder, user.uid, user.gid);
  return data;
}

function freePort(): Promise<number> {
  return new Promise((resolve, reject) => {
    const probe = createServer();
    probe.once('error', reject);
    probe.listen(0, '127.0.0.1', () => {
      const { port } = probe.address() as { port: number };
      probe.close(() => resolve(port));
    });
  });
}
