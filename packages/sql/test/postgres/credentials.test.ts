import { postgres } from '@monque/sql';
import { postgresDatabase } from '@monque/test-servers/vitest';
import pg from 'pg';
import { describe, expect, onTestFinished, test } from 'vitest';
import { closeStores, opening } from '../stores/open-stores.js';

closeStores();
const { available, url } = postgresDatabase();

describe.skipIf(!available)('The connection that listens', () => {
  test('has the password of the pool, and its key', async () => {
    // The servers of the tests ask for neither: what reaches the client is looked at instead.
    const clients: pg.Client[] = [];
    class Recorded extends pg.Client {
      constructor(options?: pg.ClientConfig) {
        // Without the encryption itself, which those servers do not offer.
        super({ ...options, password: options?.password, ssl: false });
        clients.push(this);
        keys.push((options?.ssl as { key?: string } | undefined)?.key);
      }
    }
    const keys: (string | undefined)[] = [];
    const { hostname, port, username, pathname } = new URL(url);
    const pool = new pg.Pool({
      host: hostname,
      port: Number(port),
      user: username,
      database: pathname.slice(1),
      password: 'the secret',
      ssl: { key: 'the key' },
      Client: Recorded,
      max: 1,
    } as pg.PoolConfig);
    // The database is dropped by force while it still ends its connections.
    pool.on('error', () => {});
    onTestFinished(() => pool.end());
    const store = await opening(postgres(pool));
    const before = clients.length;
    const subscription = await store.watch({ due: () => {}, stopped: () => {}, lost: () => {} });
    expect(clients.slice(before).map(({ password }) => password)).toEqual(['the secret']);
    expect(keys.slice(before)).toEqual(['the key']);
    await subscription.close();
  });
});
