import { type Kysely, sql } from 'kysely';
import { mariadbInspector } from '../inspect/mariadb.js';
import type { MigrationEngine } from './engine.js';

const LOCK_TIMEOUT_S = 600;

/** Locks are per server, and their names are short: a digest stands for the database. */
const LOCK = sql`CONCAT('monque:', MD5(DATABASE()))`;

/** MariaDB, or MySQL: whichever answers. */
export async function mariadbEngine<DB>(db: Kysely<DB>): Promise<MigrationEngine> {
  const { rows } = await sql<{ version: string }>`SELECT VERSION() AS version`.execute(db);
  const isMariadb = /mariadb/i.test(rows[0]?.version ?? '');
  return {
    dialect: isMariadb ? 'mariadb' : 'mysql',
    inspector: mariadbInspector(isMariadb ? 'utf8mb4_nopad_bin' : 'utf8mb4_0900_bin'),
    patiently: (read) => read(),
    exclusively,
  };
}

/** No transaction: statements about the schema end one. The lock goes with its connection, however that ends. */
function exclusively<DB, T>(db: Kysely<DB>, work: (session: Kysely<DB>) => Promise<T>): Promise<T> {
  return db.connection().execute(async (session) => {
    const { rows } = await sql<{ got: number | null }>`
      SELECT GET_LOCK(${LOCK}, ${LOCK_TIMEOUT_S}) AS got`.execute(session);
    if (Number(rows[0]?.got) !== 1) {
      throw new Error(`Another process has been migrating this database for ${LOCK_TIMEOUT_S} seconds`);
    }
    try {
      return await work(session);
    } finally {
      await sql`SELECT RELEASE_LOCK(${LOCK})`.execute(session);
    }
  });
}
