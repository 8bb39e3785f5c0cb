import { describe, expect, test } from 'vitest';
import { openSchema } from '../../src/migrations/open-schema.js';
import { DIALECTS, jobSharpSchema, workbench } from './workbench.js';

const ROWS = Array.from({ length: 9 }, (_, state) => {
  const id = `0192f0c1-0000-7000-8000-00000000000${state}`;
  const parent = state === 7 ? `'0192f0c1-0000-7000-8000-000000000001'` : 'NULL';
  return `('${id}', 'MyApp.Jobs.SendEmail, MyApp, Version=1.0.0.0', '{"to":"a@b"}', ${state}, '2026-11-15 07:51:00.123',
    '2026-11-15 07:52:00', NULL, ${state}, 3, 'it''s broken', '"done"', 'batch-1', ${parent})`;
});

const INSERT = `INSERT INTO "Jobs" ("Id", "TypeName", "Arguments", "State", "CreatedAt", "ScheduledAt", "ExecutedAt",
  "RetryCount", "MaxRetryCount", "ErrorMessage", "Result", "BatchId", "ParentJobId") VALUES ${ROWS.join(', ')}`;

describe.each(DIALECTS)('adopting a database on %s', { timeout: 60_000 }, (dialect) => {
  const bench = workbench(dialect);
  const quoted = (text: string) => (dialect === 'mariadb' ? text.replaceAll('"', '`') : text);

  test('leaves every value of every row as it was', async () => {
    const { db, run, query } = await bench.empty();
    await run(jobSharpSchema(dialect));
    await run(quoted(INSERT));
    const select = quoted('SELECT * FROM "Jobs" ORDER BY "Id"');
    const before = await query<object>(select);
    expect(before).toHaveLength(9);

    await openSchema(db, dialect, { autoMigrate: true });
    const after = await query<Record<string, unknown>>(select);
    expect(after).toEqual(before.map((row) => expect.objectContaining(row)));
    const added = Object.keys(after[0] ?? {}).slice(Object.keys(before[0] ?? {}).length);
    expect(added).toContain('ClaimToken');
    for (const row of after) for (const column of added) expect(row[column]).toBeNull();
  });
});

describe('times of SQLite', () => {
  const bench = workbench('sqlite');

  test.each([
    { stored: '2026-11-15 07:51:00.123+00:00', kept: '2026-11-15 07:51:00.123+00:00' },
    { stored: '2026-11-15 07:51:00.1234567+00:00', kept: '2026-11-15 07:51:00.1234567+00:00' },
    { stored: '2026-11-15 07:51:00', kept: '2026-11-15 07:51:00' },
    { stored: '2026-11-15 09:51:00.1234567+02:00', kept: '2026-11-15 07:51:00.1234567+00:00' },
    { stored: '2026-12-31 20:15:30-05:30', kept: '2027-01-01 01:45:30+00:00' },
    { stored: '2026-11-15T07:51:00.5+00:00', kept: '2026-11-15 07:51:00.5+00:00' },
    { stored: '2026-11-15T07:51:00.123Z', kept: '2026-11-15 07:51:00.123+00:00' },
    { stored: '2026-11-15T07:51:00Z', kept: '2026-11-15 07:51:00+00:00' },
    { stored: 'next Tuesday', kept: 'next Tuesday' },
    { stored: '2026-13-45 99:99:99+01:00', kept: '2026-13-45 99:99:99+01:00' },
  ])('$stored is kept as $kept', async ({ stored, kept }) => {
    const { db, run, query } = await bench.empty();
    await run(jobSharpSchema('sqlite'));
    await run(`INSERT INTO "Jobs" ("Id", "TypeName", "State", "CreatedAt", "ScheduledAt", "RetryCount", "MaxRetryCount")
      VALUES ('a', 'x', 1, '${stored}', '${stored}', 0, 3)`);
    await run(`INSERT INTO "RecurringJobs" ("Id", "CronExpression", "JobTypeName", "MaxRetryCount", "NextExecution", "IsEnabled", "CreatedAt")
      VALUES ('a', '* * * * *', 'x', 3, '${stored}', 1, '${stored}')`);
    await openSchema(db, 'sqlite', { autoMigrate: true });
    expect(await query('SELECT "CreatedAt", "ScheduledAt", "ExecutedAt" FROM "Jobs"')).toEqual([
      { CreatedAt: kept, ScheduledAt: kept, ExecutedAt: null },
    ]);
    expect(await query('SELECT "CreatedAt", "NextExecution", "LastExecution" FROM "RecurringJobs"')).toEqual([
      { CreatedAt: kept, NextExecution: kept, LastExecution: null },
    ]);
  });
});
