import { type Db, MongoClient } from 'mongodb';
import type { ClaimCount, Target } from '../contender.js';
import { ClaimCounter } from './claim-counter.js';

/** A client with the driver's defaults, as an application has it, and what was counted on it. */
export interface MongoConnection {
  readonly client: MongoClient;
  readonly db: Db;
  commandCount(): number;
  claimCount(): ClaimCount;
}

export async function connectMongo({ uri, namespace, counting }: Target): Promise<MongoConnection> {
  const client = new MongoClient(uri, { monitorCommands: counting });
  let commands = 0;
  client.on('commandStarted', () => {
    commands++;
  });
  const claims = new ClaimCounter(client);
  await client.connect();
  return {
    client,
    db: client.db(namespace),
    commandCount: () => commands,
    claimCount: () => claims.count,
  };
}
