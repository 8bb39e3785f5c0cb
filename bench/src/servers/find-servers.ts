import type { ServerKind } from '../contenders/contender.js';
import type { BenchServer, ServerAnswer } from './bench-server.js';
import { findMariadb } from './mariadb.js';
import { findMongodb } from './mongodb.js';
import { findPostgres } from './postgres.js';
import { findRedis } from './redis.js';
import { findSqlite } from './sqlite.js';

/** The servers that a run has, and why it lacks the others. */
export interface Servers {
  readonly found: ReadonlyMap<ServerKind, BenchServer>;
  readonly missing: ReadonlyMap<ServerKind, string>;
  stop(): Promise<void>;
}

/** @param name - Of this run; prefixes all that it makes. */
export async function findServers(kinds: Iterable<ServerKind>, name: string): Promise<Servers> {
  const found = new Map<ServerKind, BenchServer>();
  const missing = new Map<ServerKind, string>();
  for (const kind of new Set(kinds)) {
    const answer = await FINDERS[kind](name);
    if ('missing' in answer) missing.set(kind, answer.missing);
    else found.set(kind, answer);
  }
  const stop = async () => {
    for (const server of found.values()) await server.stop();
  };
  return { found, missing, stop };
}

const FINDERS: Readonly<Record<ServerKind, (name: string) => Promise<ServerAnswer>>> = {
  mongodb: findMongodb,
  sqlite: findSqlite,
  postgres: findPostgres,
  mariadb: findMariadb,
  redis: findRedis,
};
