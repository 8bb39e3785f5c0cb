import { postgres } from '@monque/sql';
import pg from 'pg';
import { settleDown, transactionCount } from '../postgres-pool.js';
import { copyRow } from './copy-row.js';
import { monqueOn } from './monque-contender.js';

export const monquePostgres = monqueOn(
  {
    id: 'monque-postgres',
    title: 'Monque (PostgreSQL)',
    server: 'postgres',
    package: '@monque/sql',
    settings: ['a pool of 10 connections'],
  },
  async ({ uri, namespace }) => {
    const pool = new pg.Pool({ connectionString: uri, options: `-c search_path=${namespace}`, max: 10 });
    return {
      store: postgres(pool),
      prepare: async () => void (await pool.query(`CREATE SCHEMA IF NOT EXISTS "${namespace}"`)),
      multiply: async (id, count, kind) => {
        const { rows } = await pool.query('SELECT * FROM "Jobs" WHERE "Id" = $1', [id]);
        await pool.query(copyRow('postgres', rows[0], { count, kind }));
        await pool.query('DELETE FROM "Jobs" WHERE "Id" = $1', [id]);
        await settleDown(pool);
      },
      commandCount: () => transactionCount(pool),
      close: () => pool.end(),
    };
  },
);
