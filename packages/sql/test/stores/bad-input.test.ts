import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { ConnectionError, InvalidOptionError, type JobStore, Monque } from '@monque/core';
import { mariadb, postgres, sqlite } from '@monque/sql';
import Database from 'better-sqlite3';
import { describe, expect, test } from 'vitest';
import { loadDriver } from '../../src/missing-driver-error.js';
import { closeStores, opening, temporaryFolder } from './open-stores.js';

closeStores();
const folder = temporaryFolder();

async function failureOf(store: JobStore<string>): Promise<unknown> {
  const monque = new Monque(store);
  return monque.initialize().then(
    () => {
      throw new Error('It was initialised');
    },
    (error: unknown) => error,
  );
}

describe('A store that cannot be opened says what to do', () => {
  test('a file that is no database, which stays as it is', async () => {
    const file = join(folder, 'letter.txt');
    writeFileSync(file, 'Dear Ada, this is a letter and no database. '.repeat(50));
    const error = await failureOf(sqlite({ file }));
    expect(error).toBeInstanceOf(ConnectionError);
    expect(error).toMatchObject({ message: expect.stringContaining('letter.txt" is no SQLite database') });
  });

  test('a folder that does not exist', async () => {
    const error = await failureOf(sqlite({ file: join(folder, 'nowhere', 'jobs.db') }));
    expect(error).toBeInstanceOf(ConnectionError);
    expect(error).toMatchObject({ message: expect.stringContaining('Check that its folder exists') });
  });

  test.each([
    ['PostgreSQL', () => postgres('postgres://127.0.0.1:1/none')],
    ['MariaDB', () => mariadb('mariadb://127.0.0.1:1/none')],
  ])('%s that cannot be reached', async (server, make) => {
    const error = await failureOf(make());
    expect(error).toBeInstanceOf(ConnectionError);
    const message = expect.stringMatching(new RegExp(`^${server} cannot be reached at 127\\.0\\.0\\.1:1 `));
    expect(error).toMatchObject({ message, cause: expect.anything() });
  });

  test('a missing driver', async () => {
    const missing = loadDriver('better-sqlite3', () => import('no-such-driver' as string));
    await expect(missing).rejects.toMatchObject({
      name: 'MissingDriverError',
      code: 'MONQUE_MISSING_DRIVER',
      packageName: 'better-sqlite3',
      message: expect.stringContaining('npm install better-sqlite3'),
    });
  });
});

describe('Options of a store are checked before anything is opened', () => {
  const wrong: [string, () => unknown][] = [
    ['file', () => sqlite({} as never)],
    ['file', () => sqlite({ file: '' })],
    ['file', () => sqlite(undefined as never)],
    ['database', () => sqlite({ database: {} as never })],
    ['synchronous', () => sqlite({ file: 'x.db', synchronous: 'off' as never })],
    ['tables', () => sqlite({ file: 'x.db', tables: 'mine' } as never)],
    ['autoMigrate', () => postgres('postgres://x', { autoMigrate: 'yes' as never })],
    ['typeNames', () => mariadb('mariadb://x', { typeNames: ['a'] as never })],
    ['typeNames', () => postgres('postgres://x', { typeNames: new Map([['A', 'a']]) as never })],
    ['tables', () => sqlite(new Database(':memory:'), { tables: 'mine' } as never)],
    ['connection', () => postgres({} as never)],
    ['connection', () => postgres('nonsense')],
    ['connection', () => postgres('mysql://127.0.0.1/app')],
    ['connection', () => mariadb('127.0.0.1:3306')],
    ['connection', () => mariadb(5 as never)],
  ];
  test.each(wrong)('%s', (option, make) => {
    expect(make).toThrow(InvalidOptionError);
    expect(make).toThrow(expect.objectContaining({ option }));
  });
});

describe('A payload that is no JSON', () => {
  const payloads: [string, unknown][] = [
    ['a BigInt', { n: 5n }],
    ['a function', { call: () => 1 }],
    ['a circle', Object.assign<Record<string, unknown>, object>({}, {})],
    ['NaN', { n: Number.NaN }],
    ['bytes', { file: Buffer.from('x') }],
    ['a Map', new Map()],
  ];
  (payloads[2]?.[1] as Record<string, unknown>).self = payloads[2]?.[1];

  test.each(payloads)('is refused before anything is written: %s', async (_, data) => {
    const store = await opening(sqlite({ file: ':memory:' }));
    const monque = new Monque(store);
    await monque.initialize();
    await expect(monque.enqueue('work', data)).rejects.toMatchObject({ name: 'InvalidPayloadError' });
    expect((await store.counts()).byStatus).toEqual({});
  });

  test('is no Date: that is a text, here and in the answer', async () => {
    const store = await opening(sqlite({ file: ':memory:' }));
    const monque = new Monque(store);
    await monque.initialize();
    const at = new Date('2026-11-15T07:51:00.123Z');
    const job = await monque.enqueue('work', { at });
    expect(job.data).toEqual({ at: at.toISOString() });
    expect(await monque.getJob(job._id)).toStrictEqual(job);
  });
});
