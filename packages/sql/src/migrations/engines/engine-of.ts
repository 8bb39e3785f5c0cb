import type { Kysely } from 'kysely';
import type { MigrationEngine } from './engine.js';
import { mariadbEngine } from './mariadb.js';
import { postgresEngine } from './postgres.js';
import { sqliteEngine } from './sqlite.js';

/** The dialects on which stores run. */
export type StoreDialect = 'sqlite' | 'postgres' | 'mariadb';

export async function engineOf<DB>(db: Kysely<DB>, dialect: StoreDialect): Promise<MigrationEngine> {
  if (dialect === 'mariadb') return mariadbEngine(db);
  return dialect === 'sqlite' ? sqliteEngine : postgresEngine;
}
