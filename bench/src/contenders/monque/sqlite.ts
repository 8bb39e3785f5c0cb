import { join } from 'node:path';
import { sqlite } from '@monque/sql';
import Database from 'better-sqlite3';
import { copyRow } from './copy-row.js';
import { monqueOn } from './monque-contender.js';

export const monqueSqlite = monqueOn(
  {
    id: 'monque-sqlite',
    title: 'Monque (SQLite)',
    server: 'sqlite',
    package: '@monque/sql',
    settings: [
      'one file, as the store opens it by default: WAL, synchronous NORMAL (commits outlive the process; ' +
        'the latest may be lost with the power)',
    ],
  },
  async ({ uri, namespace }) => {
    const file = join(uri, `${namespace}.db`);
    return {
      store: sqlite({ file }),
      multiply: async (id, count, kind) => {
        const database = new Database(file);
        const row = database.prepare('SELECT * FROM Jobs WHERE Id = ?').get(id) as Record<string, unknown>;
        database.exec(copyRow('sqlite', row, { count, kind }));
        database.prepare('DELETE FROM Jobs WHERE Id = ?').run(id);
        database.exec('ANALYZE');
        database.pragma('wal_checkpoint(TRUNCATE)');
        database.close();
      },
      close: async () => {},
    };
  },
);
