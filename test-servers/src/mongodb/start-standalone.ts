import { MongoMemoryServer } from 'mongodb-memory-server-core';
import { makeDataFolder } from '../data-folder.js';
import { givenServer } from './given-server.js';
import { locateMongod } from './locate-mongod.js';
import type { MongoServer } from './mongo-server.js';
import { mongodArgs, SPAWN_OPTIONS, startedServer } from './started-server.js';

/**
 * A standalone server: the one that `MONGODB_URI` names if it is one, else one that is started now.
 *
 * @throws ServerUnavailableError when there is none and none can be started.
 */
export async function startStandalone(env: NodeJS.ProcessEnv = process.env): Promise<MongoServer> {
  const given = await givenServer('standalone', env);
  if (given) return given;

  const mongod = await locateMongod(env);
  const folder = makeDataFolder();
  const server = await MongoMemoryServer.create({
    binary: { systemBinary: mongod.path, version: mongod.version },
    instance: { dbPath: folder, storageEngine: 'wiredTiger', args: mongodArgs() },
    spawn: SPAWN_OPTIONS,
  });
  return startedServer({
    topology: 'standalone',
    uri: server.getUri(),
    origin: `MongoDB ${mongod.version} from ${mongod.origin}`,
    nodes: [server],
    folder,
    end: () => server.stop({ doCleanup: false }),
  });
}
