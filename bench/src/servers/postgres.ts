import pg from 'pg';
import type { ServerAnswer } from './bench-server.js';

const LOCAL = 'postgres://postgres@127.0.0.1:5432/postgres';

/** The server that `DATABASE_URL` names, else the local one. The run gets a database of its own, dropped after it. */
export async function findPostgres(database: string): Promise<ServerAnswer> {
  const uri = process.env.DATABASE_URL || LOCAL;
  const admin = new pg.Pool({ connectionString: uri, max: 1 });
  try {
    await admin.query(`CREATE DATABASE "${database}"`);
  } catch (error) {
    await admin.end();
    const reason = String((error as Error).message);
    return {
      missing: `No PostgreSQL at ${new URL(uri).host} (${reason}). Set DATABASE_URL to a server where databases may be made`,
    };
  }
  const own = new URL(uri);
  own.pathname = `/${database}`;
  const pool = new pg.Pool({ connectionString: own.href, max: 1 });
  const setting = async (name: string) => Object.values((await pool.query(`SHOW ${name}`)).rows[0] ?? {})[0];
  return {
    kind: 'postgres',
    uri: own.href,
    description:
      `PostgreSQL ${await setting('server_version')}, fsync ${await setting('fsync')}, ` +
      `synchronous_commit ${await setting('synchronous_commit')}, shared_buffers ${await setting('shared_buffers')}`,
    clear: async (namespace) => void (await pool.query(`DROP SCHEMA IF EXISTS "${namespace}" CASCADE`)),
    stop: async () => {
      await pool.end();
      await admin.query(`DROP DATABASE "${database}" WITH (FORCE)`);
      await admin.end();
    },
  };
}
