import { mongo } from '@monque/test-servers';
import { MongoClient } from 'mongodb';
import type { BenchServer } from './bench-server.js';

/** Somewhat less than the half of this machine's memory that a server takes by itself: others run beside it. */
const CACHE_GB = 8;

/** A replica set of one node, for this run alone, unless `MONGODB_URI` names one. */
export async function findMongodb(): Promise<BenchServer> {
  const server = await mongo.replicaSet({ cacheSizeGB: CACHE_GB });
  const client = await MongoClient.connect(server.uri);
  const { version } = await client.db('admin').command({ buildInfo: 1 });
  const cache = server.processes.length > 0 ? `, cache ${CACHE_GB} GB` : '';
  return {
    kind: 'mongodb',
    uri: server.uri,
    description: `MongoDB ${version}, replica set of ${server.processes.length || 'given'} node(s), journal on${cache}`,
    clear: async (namespace) => void (await client.db(namespace).dropDatabase()),
    stop: async () => {
      await client.close();
      await server.stop();
    },
  };
}
