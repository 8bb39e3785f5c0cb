import { InvalidOptionError } from '@monque/core';
import { postgres } from '@monque/sql';
import { postgresDatabase } from '@monque/test-servers/vitest';
import pg from 'pg';
import { describe, expect, test } from 'vitest';
import { closeStores, opening, toClaim, toInsert } from '../stores/open-stores.js';

closeStores();
const { available, url } = postgresDatabase();

/** Stores and takes a job over one connection; answers how many statements the server has kept on it. */
async function keptAfterAJob(prepare: boolean): Promise<number> {
  const pool = new pg.Pool({ connectionString: url, max: 1 });
  const store = await opening(postgres(pool, { prepare }));
  await store.insert([toInsert()]);
  const { jobs } = await store.claim(await toClaim(store));
  expect(jobs).toHaveLength(1);
  const { rows } = await pool.query('SELECT count(*)::int AS kept FROM pg_prepared_statements');
  await pool.end();
  return rows[0].kept;
}

describe.skipIf(!available)('On PostgreSQL', () => {
  test('the statements that store and take a job are kept prepared', async () => {
    expect(await keptAfterAJob(true)).toBe(2);
  });

  test('nothing is kept where a pooler would not know of it', async () => {
    expect(await keptAfterAJob(false)).toBe(0);
  });
});

test('the option is true or false', () => {
  expect(() => postgres('postgres://127.0.0.1/app', { prepare: 'yes' as never })).toThrow(InvalidOptionError);
});
