import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import Database from 'better-sqlite3';
import type { BenchServer } from './bench-server.js';

/** No server: a folder for the run's files. */
export async function findSqlite(name: string): Promise<BenchServer> {
  const folder = mkdtempSync(join(tmpdir(), `${name}-`));
  const memory = new Database(':memory:');
  const { version } = memory.prepare('SELECT sqlite_version() AS version').get() as { version: string };
  memory.close();
  return {
    kind: 'sqlite',
    uri: folder,
    // As @monque/sql opens a file; `synchronous` belongs to a connection, so that another one cannot read it.
    description: `SQLite ${version}, in the process of its user, journal_mode WAL, synchronous NORMAL`,
    clear: async (namespace) => {
      for (const suffix of ['', '-wal', '-shm'])
        rmSync(join(folder, `${namespace}.db${suffix}`), { force: true });
    },
    stop: async () => rmSync(folder, { recursive: true, force: true }),
  };
}
