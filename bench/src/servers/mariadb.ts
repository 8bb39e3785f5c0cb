import mysql, { type RowDataPacket } from 'mysql2/promise';
import type { ServerAnswer } from './bench-server.js';

const LOCAL = 'mysql://root@127.0.0.1:3306';

/** The server that `MARIADB_URL` names, else the local one. Each measurement has a database of its own. */
export async function findMariadb(name: string): Promise<ServerAnswer> {
  const uri = process.env.MARIADB_URL || LOCAL;
  const admin = await mysql.createConnection(uri).catch((error: Error) => error);
  if (admin instanceof Error) {
    return {
      missing: `No MariaDB at ${new URL(uri).host} (${admin.message}). Set MARIADB_URL to a server where databases may be made`,
    };
  }
  const setting = async (variable: string) => {
    const [rows] = await admin.query<RowDataPacket[]>(`SELECT @@${variable} AS value`);
    return String(rows[0]?.value);
  };
  return {
    kind: 'mariadb',
    uri,
    description:
      `MariaDB ${await setting('version')}, innodb_flush_log_at_trx_commit ` +
      `${await setting('innodb_flush_log_at_trx_commit')}, ` +
      `innodb_buffer_pool_size ${Number(await setting('innodb_buffer_pool_size')) / 1024 ** 2} MB`,
    clear: async (namespace) => void (await admin.query(`DROP DATABASE IF EXISTS \`${namespace}\``)),
    stop: async () => {
      const [rows] = await admin.query<RowDataPacket[]>('SHOW DATABASES LIKE ?', [`${name}%`]);
      for (const row of rows) await admin.query(`DROP DATABASE \`${String(Object.values(row)[0])}\``);
      await admin.end();
    },
  };
}
