import { MongoClient } from 'mongodb';
import { firstLine } from '../first-line.js';
import type { MongoServer, MongoTopology } from './mongo-server.js';

/**
 * The server that `MONGODB_URI` names, if it is of the wanted kind. It is used as it is and never stopped.
 *
 * @throws when `MONGODB_URI` is set and nothing answers there.
 */
export async function givenServer(
  topology: MongoTopology,
  env: NodeJS.ProcessEnv,
): Promise<MongoServer | undefined> {
  const uri = env.MONGODB_URI;
  if (!uri || (await topologyOf(uri)) !== topology) return undefined;
  const stop = async () => {};
  return { topology, uri, origin: 'MONGODB_URI', processes: [], stop, [Symbol.asyncDispose]: stop };
}

async function topologyOf(uri: string): Promise<MongoTopology> {
  try {
    await using client = new MongoClient(uri, { serverSelectionTimeoutMS: 3_000 });
    const hello = await client.db('admin').command({ hello: 1 });
    // A mongos, which says isdbgrid, has change streams and transactions like a replica set.
    return hello.setName || hello.msg === 'isdbgrid' ? 'replicaSet' : 'standalone';
  } catch (error) {
    throw new Error(`MONGODB_URI is set, but no server answers there: ${firstLine(error)}`, { cause: error });
  }
}
