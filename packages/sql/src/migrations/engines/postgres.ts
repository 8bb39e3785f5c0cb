import { sql } from 'kysely';
import { postgresInspector } from '../inspect/postgres.js';
import type { MigrationEngine } from './engine.js';

/** Any number that others do not use: "monque" in ASCII. Such locks are per database. */
const LOCK = '120338978665829';

export const postgresEngine: MigrationEngine = {
  dialect: 'postgres',
  inspector: postgresInspector,
  patiently: (read) => read(),
  // Read committed, so that what is read after the wait for the lock is what the others left.
  exclusively: (db, work) =>
    db
      .transaction()
      .setIsolationLevel('read committed')
      .execute(async (session) => {
        await sql`SELECT pg_advisory_xact_lock(${sql.raw(LOCK)})`.execute(session);
        return work(session);
      }),
};
