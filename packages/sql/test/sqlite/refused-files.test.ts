import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { ConnectionError } from '@monque/core';
import { PendingMigrationsError, SchemaMismatchError, sqlite } from '@monque/sql';
import Database from 'better-sqlite3';
import { describe, expect, test } from 'vitest';
import { closeStores, opening, temporaryFolder } from '../stores/open-stores.js';

closeStores();
const folder = temporaryFolder();

/** A database of another program. */
function otherDatabase(name: string, sql: string): string {
  const file = join(folder, name);
  const database = new Database(file);
  database.exec(sql);
  database.close();
  return file;
}

const journalMode = (file: string) => {
  const database = new Database(file);
  try {
    return database.pragma('journal_mode', { simple: true });
  } finally {
    database.close();
  }
};

describe('A SQLite file on which a store does not open', () => {
  test('stays as it was where its tables are those of another program', async () => {
    const file = otherDatabase('other.db', 'CREATE TABLE "Jobs" (title varchar(10))');
    const before = readFileSync(file);
    await expect(opening(sqlite({ file }))).rejects.toThrow(SchemaMismatchError);
    expect(readFileSync(file).equals(before)).toBe(true);
  });

  test('stays as it was where it may not be migrated', async () => {
    const file = otherDatabase('pending.db', 'CREATE TABLE "Notes" (title varchar(10))');
    const before = readFileSync(file);
    await expect(opening(sqlite({ file, autoMigrate: false }))).rejects.toThrow(PendingMigrationsError);
    expect(readFileSync(file).equals(before)).toBe(true);
  });

  test('is not made', async () => {
    const file = join(folder, 'missing.db');
    await expect(opening(sqlite({ file, autoMigrate: false }))).rejects.toThrow(PendingMigrationsError);
    expect(existsSync(file)).toBe(false);
    const nowhere = join(folder, 'no-folder', 'missing.db');
    await expect(opening(sqlite({ file: nowhere, autoMigrate: false }))).rejects.toThrow(ConnectionError);
    expect(readdirSync(folder).filter((name) => name.startsWith('missing'))).toEqual([]);
  });
});

describe('A SQLite file on which a store opens', () => {
  test('has a write-ahead log', async () => {
    const file = otherDatabase('adopted.db', 'CREATE TABLE "Notes" (title varchar(10))');
    await opening(sqlite({ file }));
    expect(journalMode(file)).toBe('wal');
    await opening(sqlite({ file, autoMigrate: false }));
  });

  test('by several at once has one as well', async () => {
    const file = join(folder, 'several.db');
    await Promise.all(Array.from({ length: 8 }, () => opening(sqlite({ file }))));
    expect(journalMode(file)).toBe('wal');
  });
});
