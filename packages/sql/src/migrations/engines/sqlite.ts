import { setTimeout } from 'node:timers/promises';
import { type Kysely, sql } from 'kysely';
import { sqliteInspector } from '../inspect/sqlite.js';
import type { MigrationEngine } from './engine.js';

const BUSY_PAUSE_MS = 20;
const BUSY_DEADLINE_MS = 120_000;

export const sqliteEngine: MigrationEngine = {
  dialect: 'sqlite',
  inspector: sqliteInspector,
  patiently,
  exclusively: (db, work) =>
    db.connection().execute((session) => patiently(() => inTransaction(session, work))),
};

/** Immediate: it takes the right to write at once, so that nobody can change what was read before the first write. */
async function inTransaction<DB, T>(db: Kysely<DB>, work: (session: Kysely<DB>) => Promise<T>): Promise<T> {
  await sql`BEGIN IMMEDIATE`.execute(db);
  try {
    const result = await work(db);
    await sql`COMMIT`.execute(db);
    return result;
  } catch (error) {
    await sql`ROLLBACK`.execute(db);
    throw error;
  }
}

/** Other processes may hold the file for longer than the driver waits: then all of it is tried again. */
async function patiently<T>(attempt: () => Promise<T>): Promise<T> {
  const deadline = performance.now() + BUSY_DEADLINE_MS;
  for (;;) {
    try {
      return await attempt();
    } catch (error) {
      if (!isBusy(error) || performance.now() > deadline) throw error;
      await setTimeout(BUSY_PAUSE_MS);
    }
  }
}

function isBusy(error: unknown): boolean {
  return String((error as { code?: unknown } | null)?.code).startsWith('SQLITE_BUSY');
}
