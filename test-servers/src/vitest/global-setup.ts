import type { TestProject } from 'vitest/node';
import { findMariadb } from '../mariadb/find-mariadb.js';
import { startReplicaSet } from '../mongodb/start-replica-set.js';
import { startStandalone } from '../mongodb/start-standalone.js';
import { findPostgres } from '../postgres/find-postgres.js';
import { ServerUnavailableError } from '../server-unavailable-error.js';
import type { Missing, ProvidedServers } from './provided-servers.js';

type Stop = () => Promise<void>;

/** Starts the servers once per run, however many test files there are; what it returns ends them. */
export async function setup(project: TestProject): Promise<Stop> {
  const stops: Stop[] = [];
  const stop = async () => {
    await Promise.all(stops.map((stopOne) => stopOne()));
  };
  const required = process.env.CI === 'true';
  try {
    const servers: ProvidedServers = {
      mongo: await orMissing('MongoDB', required, () => findMongo(stops)),
      postgres: await orMissing('PostgreSQL', required, async () => {
        const server = await findPostgres();
        stops.push(server.stop);
        return { url: server.url };
      }),
      mariadb: await orMissing('MariaDB', false, async () => ({ url: (await findMariadb()).url })),
    };
    project.provide('servers', servers);
  } catch (error) {
    await stop();
    throw error;
  }
  return stop;
}

async function findMongo(stops: Stop[]) {
  const standalone = await startStandalone();
  stops.push(standalone.stop);
  const replicaSet = await startReplicaSet();
  stops.push(replicaSet.stop);
  return { standalone: standalone.uri, replicaSet: replicaSet.uri };
}

/** A server that cannot be had is a failure where it is required; elsewhere its tests are skipped, and loudly. */
async function orMissing<T>(
  product: string,
  required: boolean,
  find: () => Promise<T>,
): Promise<T | Missing> {
  try {
    return await find();
  } catch (error) {
    if (!(error instanceof ServerUnavailableError) || required) throw error;
    const line = '!'.repeat(80);
    console.warn(`\n${line}\n${error.message}\nTests on ${product} are SKIPPED.\n${line}\n`);
    return { missing: error.message };
  }
}
