import { readdirSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { postgres } from '@monque/test-servers';
import { mariadbDatabase, postgresDatabase, spawnScript } from '@monque/test-servers/vitest';
import pg from 'pg';
import { describe, expect, test, vi } from 'vitest';

const NOWHERE = 'postgres://postgres@127.0.0.1:1/postgres';

describe('the PostgreSQL of a run', () => {
  const { pool, name } = postgresDatabase();

  test('gives each file a database of its own', async () => {
    const { rows } = await pool.query('SELECT current_database() AS name');
    expect(rows).toEqual([{ name }]);
    await pool.query('CREATE TABLE things (thing int)');
  });
});

describe('the MariaDB of a run', () => {
  const { pool, name } = mariadbDatabase();

  test('gives each file a database of its own', async () => {
    const [rows] = await pool.query('SELECT DATABASE() AS name');
    expect(rows).toEqual([{ name }]);
    await pool.query('CREATE TABLE things (thing int)');
  });
});

test('a DATABASE_URL where nothing answers is replaced by nothing else', async () => {
  await expect(postgres.find({ ...process.env, DATABASE_URL: NOWHERE })).rejects.toThrow(
    'DATABASE_URL is set, but cannot be used',
  );
});

describe('a server of its own', { timeout: 90_000 }, () => {
  const { available } = postgresDatabase();

  test.skipIf(!available)(
    'keeps what was committed through a crash, and is gone with its data after stop',
    async () => {
      const server = await postgres.start();
      await query(server.url, 'CREATE TABLE things AS SELECT 1 AS thing');
      const { pid } = server;

      server.kill('SIGKILL');
      await server.restart();
      expect(server.pid).not.toBe(pid);
      expect(isAlive(pid)).toBe(false);
      expect(await query(server.url, 'SELECT * FROM things')).toEqual([{ thing: 1 }]);

      expect(dataFoldersOf(process.pid)).toHaveLength(1);
      await server.stop();
      expect(isAlive(server.pid)).toBe(false);
      expect(dataFoldersOf(process.pid)).toHaveLength(0);
    },
  );

  test.skipIf(!available).each(['SIGKILL', 'exit'])(
    'does not outlive a process that ends by %s',
    async (ending) => {
      const script = spawnScript(new URL('./fixtures/start-postgres.ts', import.meta.url));
      const { pid } = await script.waitFor<{ pid: number }>((message) => message.pid > 0, 60_000);
      expect(isAlive(pid)).toBe(true);
      if (ending === 'exit') script.send('exit');
      else script.kill('SIGKILL');
      await script.exited;
      await vi.waitFor(() => expect(isAlive(pid)).toBe(false), { timeout: 20_000 });
    },
  );
});

async function query(url: string, sql: string): Promise<unknown[]> {
  const client = new pg.Client({ connectionString: url });
  await client.connect();
  const { rows } = await client.query(sql).finally(() => client.end());
  return rows;
}

function dataFoldersOf(pid: number): string[] {
  return readdirSync(tmpdir()).filter((name) => name.startsWith(`monque-server-${pid}-`));
}

function isAlive(pid: number): boolean {
  try {
    return process.kill(pid, 0);
  } catch {
    return false;
  }
}
