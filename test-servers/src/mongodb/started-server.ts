import { once } from 'node:events';
import type { MongoMemoryServer } from 'mongodb-memory-server-core';
import { removeDataFolder } from '../data-folder.js';
import type { MongodProcess, MongoServer } from './mongo-server.js';

/** What starting a server came to. */
interface Started extends Pick<MongoServer, 'topology' | 'uri' | 'origin'> {
  readonly nodes: readonly MongoMemoryServer[];
  readonly folder: string;
  end(): Promise<unknown>;
}

/**
 * Settings of every mongod that is started here: quiet, without socket files in a shared folder, and small unless a
 * larger cache is asked for.
 */
export function mongodArgs(cacheSizeGB = 0.25): string[] {
  return [
    '--quiet',
    '--nounixsocket',
    '--wiredTigerCacheSizeGB',
    String(cacheSizeGB),
    '--setParameter',
    'diagnosticDataCollectionEnabled=false',
  ];
}

/**
 * A process group of its own: Ctrl-C in a terminal reaches us alone, and we end the server after what still uses it.
 * Should we be killed outright, the watcher process of mongodb-memory-server ends it.
 */
export const SPAWN_OPTIONS = { detached: true } as const;

/** Ties a server's life to ours: it is ended by `stop()`, or at the latest when this process exits. */
export function startedServer({ nodes, folder, end, ...server }: Started): MongoServer {
  const processes = nodes.map(processOf);

  // An exit handler cannot wait, so it takes the short way.
  const onExit = () => {
    for (const process of processes) process.kill('SIGKILL');
    removeDataFolder(folder);
  };
  process.once('exit', onExit);

  let stopped: Promise<void> | undefined;
  const stop = () => {
    stopped ??= (async () => {
      // A node that a test has suspended would not hear the request to end.
      for (const process of processes) process.kill('SIGCONT');
      await end();
      process.off('exit', onExit);
      removeDataFolder(folder);
    })();
    return stopped;
  };
  return { ...server, processes, stop, [Symbol.asyncDispose]: stop };
}

function processOf(node: MongoMemoryServer): MongodProcess {
  const instance = node.instanceInfo?.instance;
  const port = node.instanceInfo?.port;
  if (instance?.mongodProcess?.pid === undefined || port === undefined)
    throw new Error('mongod did not start');
  let { pid } = instance.mongodProcess;
  return {
    get pid() {
      return pid;
    },
    port,
    kill: (signal) => void instance.mongodProcess?.kill(signal),
    async restart() {
      const old = instance.mongodProcess;
      if (old !== undefined) {
        const closed = once(old, 'close');
        old.kill('SIGKILL');
        await closed;
      }
      // The end of its process makes the instance stop by itself: this waits until it has.
      await instance.stop();
      await instance.start();
      pid = instance.mongodProcess?.pid ?? pid;
    },
  };
}
