import { existsSync } from 'node:fs';
import { spawnScript } from '@monque/test-servers/vitest';
import Database from 'better-sqlite3';
import { expect, test } from 'vitest';

const DEMO = new URL('../demo/main.ts', import.meta.url);

test('the demo needs no server, tells what it does, and stops cleanly on Ctrl-C', {
  timeout: 180_000,
}, async () => {
  const nowhere = 'mongodb://127.0.0.1:1';
  const demo = spawnScript(DEMO, {
    env: { MONGODB_URI: nowhere, DATABASE_URL: nowhere, MARIADB_URL: nowhere },
  });
  const soon = (pattern: RegExp) => demo.waitForOutput(pattern, 60_000);
  await soon(/clean-sessions runs every minute, next at/);
  await soon(/start +send-email/);
  await soon(/done +send-email/);
  await soon(/retry +charge-card/);
  await soon(/failed +charge-card/);
  await soon(/asked for twice and waits once/);
  const output = await soon(/queue +\d+ pending/);

  // The query that it names shows the jobs of its file.
  const [, file, query] = /sqlite3 (\S+) '(.+)'/.exec(output)!;
  const database = new Database(file!, { readonly: true });
  expect(database.prepare(query!).all()).toContainEqual(
    expect.objectContaining({ TypeName: 'send-email', State: 3 }),
  );
  database.close();

  demo.kill('SIGINT');
  expect(await demo.exited).toEqual({ code: 0, signal: null });
  expect(demo.output).toContain('stopped cleanly');
  expect(demo.output).toMatch(/, 0 processing.*stopped cleanly/s);
  expect(demo.output).not.toMatch(/error {5}/);
  expect(existsSync(file!)).toBe(false);
});
