import { Monque } from '@monque/core';
import { migrate, PendingMigrationsError, SchemaMismatchError } from '@monque/sql';
import { describe, expect, test } from 'vitest';
import { openStore } from '../processes/fixtures/settings.js';
import { DIALECTS, jobSharpSchema, workbench } from './workbench.js';

describe.each(DIALECTS)('a store on %s', { timeout: 60_000 }, (dialect) => {
  const bench = workbench(dialect);

  test('with autoMigrate: false refuses to open until the schema was migrated', async () => {
    const { address } = await bench.empty();
    const store = () => openStore({ dialect, address }, { autoMigrate: false });
    await using refused = new Monque(store());
    await expect(refused.initialize()).rejects.toThrow(PendingMigrationsError);

    await migrate(openStore({ dialect, address }));
    await using opened = new Monque(store());
    await opened.initialize();
    expect(await opened.enqueue('greet', {})).toMatchObject({ name: 'greet', status: 'pending' });
  });

  test('adopts a database of JobSharp by itself', async () => {
    const { address, run } = await bench.empty();
    await run(jobSharpSchema(dialect));
    await using monque = new Monque(openStore({ dialect, address }));
    await monque.initialize();
    expect(await monque.enqueue('greet', {})).toMatchObject({ name: 'greet', status: 'pending' });
  });

  test('does not open on tables of another program', async () => {
    const { address, run } = await bench.empty();
    await run('CREATE TABLE "Jobs" (title varchar(10))'.replaceAll('"', dialect === 'mariadb' ? '`' : '"'));
    await using monque = new Monque(openStore({ dialect, address }));
    await expect(monque.initialize()).rejects.toThrow(SchemaMismatchError);
  });
});
