import { spawnScript } from '@monque/test-servers/vitest';
import { sql } from 'kysely';
import { describe, expect, test } from 'vitest';
import { engineOf } from '../../src/migrations/engines/engine-of.js';
import { findSchema } from '../../src/migrations/find-schema.js';
import type { Inspector } from '../../src/migrations/inspect/inspector.js';
import { MIGRATIONS } from '../../src/migrations/migrations.js';
import { openSchema } from '../../src/migrations/open-schema.js';
import { Emitter } from '../../src/schema/emit.js';
import { MIGRATIONS_TABLE } from '../../src/schema/tables.js';
import { connect } from './connect.js';
import { DIALECTS, jobSharpSchema, workbench } from './workbench.js';

const ALL = MIGRATIONS.map(({ version }) => version);

interface Message {
  readonly applied?: number[];
  readonly failed?: string;
}

describe.each(DIALECTS)('on %s, of all that start at once', { timeout: 60_000 }, (dialect) => {
  const bench = workbench(dialect);

  test('one connection migrates and the others wait for it', async () => {
    const { address } = await bench.empty();
    const connections = Array.from({ length: 6 }, () => connect(dialect, address));
    const applied = await Promise.all(
      connections.map((db) => openSchema(db, dialect, { autoMigrate: true }).finally(() => db.destroy())),
    );
    expect(applied.flat()).toEqual(ALL);
    expect(applied.filter((versions) => versions.length > 0)).toEqual([ALL]);
  });

  test('one that is overtaken while it looks does not take the tables for strange ones', async () => {
    const { db, address } = await bench.empty();
    // As it is for a moment where each statement takes effect by itself.
    await sql.raw(new Emitter(dialect).createTable(MIGRATIONS_TABLE)).execute(db);
    const engine = await engineOf(db, dialect);
    let looks = 0;
    const inspect: Inspector['inspect'] = async (session) => {
      const inspection = await engine.inspector.inspect(session);
      looks += 1;
      if (looks === 1) {
        const other = connect(dialect, address);
        await openSchema(other, dialect, { autoMigrate: true }).finally(() => other.destroy());
      }
      return inspection;
    };
    const found = await findSchema(db, { ...engine, inspector: { ...engine.inspector, inspect } });
    expect(found.applied).toEqual(ALL);
    expect(found.hasTable('JobBatches')).toBe(true);
  });

  test('one process migrates, and the others find it done', { timeout: 150_000 }, async () => {
    const { address, run } = await bench.empty();
    await run(jobSharpSchema(dialect));
    const scripts = Array.from({ length: 3 }, () =>
      spawnScript(new URL('./fixtures/migrate.ts', import.meta.url), { args: [dialect, address] }),
    );
    await Promise.all(scripts.map((script) => script.waitFor((message) => message === 'ready', 60_000)));
    for (const script of scripts) script.send('go');
    const messages = await Promise.all(
      scripts.map((script) =>
        script.waitFor<Message>(
          ({ applied, failed }) => applied !== undefined || failed !== undefined,
          60_000,
        ),
      ),
    );
    expect(messages.map(({ failed }) => failed)).toEqual([undefined, undefined, undefined]);
    expect(messages.flatMap(({ applied }) => applied)).toEqual(ALL);
  });
});
