import { mariadb } from '@monque/sql';
import mysql, { type RowDataPacket } from 'mysql2/promise';
import { copyRow } from './copy-row.js';
import { monqueOn } from './monque-contender.js';

export const monqueMariadb = monqueOn(
  {
    id: 'monque-mariadb',
    title: 'Monque (MariaDB)',
    server: 'mariadb',
    package: '@monque/sql',
    settings: ['a pool of 10 connections'],
  },
  async ({ uri, namespace }) => {
    const own = new URL(uri);
    own.pathname = `/${namespace}`;
    // Of the benchmark's own: it makes the database and reads the statistics.
    const admin = await mysql.createConnection(uri);
    return {
      store: mariadb(own.href),
      prepare: async () => void (await admin.query(`CREATE DATABASE IF NOT EXISTS \`${namespace}\``)),
      multiply: async (id, count, kind) => {
        await admin.changeUser({ database: namespace });
        const [rows] = await admin.query<RowDataPacket[]>('SELECT * FROM Jobs WHERE Id = ?', [id]);
        const [computed] = await admin.query<RowDataPacket[]>(
          'SELECT column_name AS name FROM information_schema.columns ' +
            "WHERE table_schema = ? AND table_name = 'Jobs' AND extra LIKE '%GENERATED%'",
          [namespace],
        );
        const generated = computed.map(({ name }) => String(name));
        await admin.query(copyRow('mariadb', rows[0] ?? {}, { count, kind, generated }));
        await admin.query('DELETE FROM Jobs WHERE Id = ?', [id]);
        await admin.query('ANALYZE TABLE Jobs');
      },
      commandCount: async () => {
        const [rows] = await admin.query<RowDataPacket[]>("SHOW GLOBAL STATUS LIKE 'Questions'");
        return Number(rows[0]?.Value);
      },
      close: () => admin.end(),
    };
  },
);
