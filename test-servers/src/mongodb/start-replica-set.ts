import { MongoMemoryReplSet } from 'mongodb-memory-server-core';
import { makeDataFolder, makeSubfolder } from '../data-folder.js';
import { givenServer } from './given-server.js';
import { locateMongod } from './locate-mongod.js';
import type { MongoServer } from './mongo-server.js';
import { mongodArgs, SPAWN_OPTIONS, startedServer } from './started-server.js';

/** How long a node may take to answer. One that was killed first recovers what its journal holds. */
const LAUNCH_TIMEOUT_MS = 60_000;

export interface ReplicaSetOptions {
  /**
   * How many nodes to start. When given, a replica set is started even where `MONGODB_URI` names one, so that its
   * processes may be killed. Three survive the loss of one.
   *
   * @defaultValue the replica set that `MONGODB_URI` names, else one node
   */
  readonly nodes?: 1 | 3;
  /**
   * Memory that each node may use for its data. Tests need little, benchmarks much.
   *
   * @defaultValue 0.25
   */
  readonly cacheSizeGB?: number;
  /**
   * Further arguments of each mongod, such as those that allow failpoints.
   *
   * @defaultValue none
   */
  readonly args?: readonly string[];
  readonly env?: NodeJS.ProcessEnv;
}

/**
 * A replica set: the one that `MONGODB_URI` names if it is one, else one that is started now.
 *
 * @throws ServerUnavailableError when there is none and none can be started.
 */
export async function startReplicaSet(options: ReplicaSetOptions = {}): Promise<MongoServer> {
  const { nodes, env = process.env } = options;
  const given = nodes === undefined ? await givenServer('replicaSet', env) : undefined;
  if (given) return given;

  const mongod = await locateMongod(env);
  const folder = makeDataFolder();
  const count = nodes ?? 1;
  const set = await MongoMemoryReplSet.create({
    binary: { systemBinary: mongod.path, version: mongod.version },
    instanceOpts: Array.from({ length: count }, (_, index) => ({
      dbPath: makeSubfolder(folder, `node-${index + 1}`),
      launchTimeout: LAUNCH_TIMEOUT_MS,
    })),
    replSet: {
      count,
      name: 'monque',
      storageEngine: 'wiredTiger',
      args: [...mongodArgs(options.cacheSizeGB), ...(options.args ?? [])],
      spawn: SPAWN_OPTIONS,
      // A lost primary is noticed after two seconds instead of ten.
      configSettings: { electionTimeoutMillis: 2_000, heartbeatIntervalMillis: 500 },
    },
  });
  return startedServer({
    topology: 'replicaSet',
    uri: set.getUri(),
    origin: `MongoDB ${mongod.version} from ${mongod.origin}`,
    nodes: set.servers,
    folder,
    end: () => set.stop({ doCleanup: false }),
  });
}
