import { once } from 'node:events';
import { testDatabase } from '@monque/test-servers/vitest';
import { MongoClient } from 'mongodb';
import { expect, test } from 'vitest';
import { Monque } from '../../src/monque.js';

const { uri, name } = testDatabase();

test("job:error brings the driver's own error when the database cannot be used, and no job:fail", async () => {
  const client = new MongoClient(uri);
  const monque = new Monque(client.db(name), { pollInterval: 20, safetyPollInterval: 20 });
  await monque.initialize();
  monque.register('work', () => {});
  const failures: unknown[] = [];
  monque.on('job:fail', (event) => failures.push(event));
  const told = once(monque, 'job:error', { signal: AbortSignal.timeout(10_000) });
  monque.start();

  await client.close();

  const [{ error }] = await told;
  expect(error).toBeInstanceOf(Error);
  expect(error.name).toMatch(/^Mongo/);
  expect(error.message).not.toBe('');
  expect(failures).toEqual([]);
  await monque.stop();
});
