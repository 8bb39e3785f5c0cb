import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { mariadbDatabase, postgresDatabase } from '@monque/test-servers/vitest';
import { afterAll } from 'vitest';
import type { StoreAddress } from './fixtures/settings.js';

/** A database that several processes use, for the tests of one `describe`, at whose top it is to be called. */
export function sharedDatabase(dialect: StoreAddress['dialect']): StoreAddress {
  if (dialect === 'postgres') return { dialect, address: postgresDatabase().url };
  if (dialect === 'mariadb') return { dialect, address: mariadbDatabase().url };
  const folder = mkdtempSync(join(tmpdir(), 'monque-sql-'));
  afterAll(() => rmSync(folder, { recursive: true, force: true }));
  return { dialect, address: join(folder, 'jobs.db') };
}
