import { describe, expect, test } from 'vitest';
import {
  PendingMigrationsError,
  SchemaMismatchError,
  SchemaTooNewError,
} from '../../src/migrations/errors.js';
import { migrationSql } from '../../src/migrations/migration-sql.js';
import { LATEST_VERSION, MIGRATIONS } from '../../src/migrations/migrations.js';
import { openSchema } from '../../src/migrations/open-schema.js';
import { DIALECTS, type EmptyDatabase, jobSharpSchema, workbench } from './workbench.js';

const ALL = MIGRATIONS.map(({ version }) => version);

describe.each(DIALECTS)('migrations on %s', { timeout: 120_000 }, (dialect) => {
  const bench = workbench(dialect);
  const quoted = (text: string) => (dialect === 'mariadb' ? text.replaceAll('"', '`') : text);
  const versions = async ({ query }: EmptyDatabase) =>
    (
      await query<{ Version: number }>(quoted('SELECT "Version" FROM "MonqueMigrations" ORDER BY "Version"'))
    ).map(({ Version }) => Version);
  const open = ({ db }: EmptyDatabase, autoMigrate = true) => openSchema(db, dialect, { autoMigrate });

  test('take an empty database to the latest version, once', async () => {
    const database = await bench.empty();
    expect(await open(database)).toEqual(ALL);
    expect(await versions(database)).toEqual(ALL);
    const before = await describeSchema(dialect, database);

    expect(await open(database)).toEqual([]);
    expect(await open(database, false)).toEqual([]);
    expect(await describeSchema(dialect, database)).toEqual(before);
  });

  test('make of a database of JobSharp the same as of an empty one, but for its own indexes', async () => {
    const fresh = await bench.empty();
    await open(fresh);
    // An index that is there is left alone, and JobSharp's hold all rows.
    const expected = (await describeSchema(dialect, fresh)).map((part) =>
      typeof part['definition'] === 'string' && part['definition'].includes('"IX_Jobs_')
        ? { ...part, definition: part['definition'].replace(/ WHERE .*$/, '') }
        : part,
    );

    const adopted = await bench.empty();
    await adopted.run(jobSharpSchema(dialect));
    expect(await open(adopted)).toEqual(ALL);
    expect(await describeSchema(dialect, adopted)).toEqual(expected);
    expect(await open(adopted)).toEqual([]);
  });

  test('take up what a process left that was killed half-way', async () => {
    const fresh = await bench.empty();
    await open(fresh);
    const expected = await describeSchema(dialect, fresh);

    // Whatever the statement after which it died.
    const statements = migrationSql(dialect)
      .replace(/^(--.*|BEGIN;|COMMIT;)$/gm, '')
      .split(/;\n/)
      .filter((statement) => statement.trim() !== '' && !statement.includes('INSERT INTO'));
    for (const left of [1, 2, 5, 9, 11, statements.length - 2, statements.length]) {
      const database = await bench.empty();
      await database.run(statements.slice(0, left).join(';\n'));
      expect(await open(database)).toEqual(ALL);
      expect(await describeSchema(dialect, database)).toEqual(expected);
      expect(await versions(database)).toEqual(ALL);
    }
  });

  test('applied by hand are those that a store applies by itself', async () => {
    const fresh = await bench.empty();
    await open(fresh);
    const expected = await describeSchema(dialect, fresh);

    const empty = await bench.empty();
    await empty.run(migrationSql(dialect));
    expect(await open(empty, false)).toEqual([]);
    expect(await describeSchema(dialect, empty)).toEqual(expected);
  });

  test('applied by hand to a database of JobSharp leave nothing to do', async () => {
    const database = await bench.empty();
    await database.run(jobSharpSchema(dialect));
    const collation = dialect === 'mariadb' ? { keyCollation: 'utf8mb4_general_ci' } : {};
    await database.run(migrationSql(dialect, { from: 'jobsharp', ...collation }));
    expect(await versions(database)).toEqual(ALL);
    expect(await open(database, false)).toEqual([]);
  });

  test('are not applied with autoMigrate: false; the error names them and the way out', async () => {
    const empty = await bench.empty();
    const error = await open(empty, false).catch((reason: unknown) => reason);
    expect(error).toBeInstanceOf(PendingMigrationsError);
    expect(error).toMatchObject({
      name: 'PendingMigrationsError',
      code: 'MONQUE_PENDING_MIGRATIONS',
      versions: ALL,
    });
    expect(String(error)).toContain(`migrationSql('${dialect}')`);
    expect(await describeSchema(dialect, empty)).toEqual([]);

    const adopted = await bench.empty();
    await adopted.run(jobSharpSchema(dialect));
    const before = await describeSchema(dialect, adopted);
    await expect(open(adopted, false)).rejects.toThrow(
      `migrationSql('${dialect}', { from: 'jobsharp'${dialect === 'mariadb' ? `, keyCollation: 'utf8mb4_general_ci'` : ''} })`,
    );
    expect(await describeSchema(dialect, adopted)).toEqual(before);

    const older = await bench.empty();
    await open(older);
    await older.run(quoted(`DELETE FROM "MonqueMigrations" WHERE "Version" = ${LATEST_VERSION}`));
    await expect(open(older, false)).rejects.toMatchObject({
      versions: [LATEST_VERSION],
      message: expect.stringContaining(`migrationSql('${dialect}', { from: ${LATEST_VERSION - 1} })`),
    });
  });

  test('of a newer version are an error, and nothing is touched', async () => {
    const database = await bench.empty();
    await open(database);
    await database.run(
      quoted(`INSERT INTO "MonqueMigrations" ("Version", "Name", "AppliedAt")
              VALUES (${LATEST_VERSION + 3}, 'from the future', '2030-01-01 00:00:00')`),
    );
    // A newer version may have done anything to the tables.
    await database.run(quoted('DROP TABLE "RecurringJobs"'));
    const before = await describeSchema(dialect, database);
    const error = await open(database).catch((reason: unknown) => reason);
    expect(error).toBeInstanceOf(SchemaTooNewError);
    expect(error).toMatchObject({
      found: LATEST_VERSION + 3,
      known: LATEST_VERSION,
      code: 'MONQUE_SCHEMA_TOO_NEW',
    });
    expect(await describeSchema(dialect, database)).toEqual(before);
  });

  test.each([
    {
      what: 'a table of another program',
      sql: 'CREATE TABLE "Jobs" ("Id" int NOT NULL, "Title" varchar(10) NOT NULL)',
      problem: 'the table "Jobs" has no column "TypeName"',
    },
    {
      what: 'a column of another type',
      sql: seedTable('"State" int', '"State" varchar(20)'),
      problem: 'the column "State" of "Jobs" is of the type',
    },
    {
      what: 'a column that must be filled',
      sql: seedTable('"State" int', '"State" int, "Tenant" varchar(20) NOT NULL'),
      problem: 'the column "Tenant" of "Jobs" must be filled',
    },
    {
      what: 'a column of ours in another type',
      sql: seedTable('"State" int', '"State" int, "Priority" varchar(20)'),
      problem: 'the column "Priority" of "Jobs" is of the type',
    },
    {
      what: 'another table of ours',
      sql: 'CREATE TABLE "MonqueMigrations" ("Version" int NOT NULL)',
      problem: 'the table "MonqueMigrations" has no column "Name"',
    },
  ])('refuse $what, and nothing is touched', async ({ sql, problem }) => {
    const database = await bench.empty();
    const time = { sqlite: 'TEXT', postgres: 'timestamptz', mariadb: 'datetime(6)' }[dialect];
    await database.run(quoted(sql).replaceAll('TIME', time));
    const before = await describeSchema(dialect, database);
    for (const autoMigrate of [true, false]) {
      const error = await open(database, autoMigrate).catch((reason: unknown) => reason);
      expect(error).toBeInstanceOf(SchemaMismatchError);
      expect(String(error)).toContain(problem);
    }
    expect(await describeSchema(dialect, database)).toEqual(before);
  });

  test('notice a table that has gone', async () => {
    const database = await bench.empty();
    await open(database);
    await database.run(quoted('DROP TABLE "JobLogs"'));
    await expect(open(database)).rejects.toThrow('the table "JobLogs" is missing');
  });
});

/** The seed's `Jobs`, with one thing changed. */
function seedTable(original: string, changed: string): string {
  const table = `CREATE TABLE "Jobs" ("Id" varchar(36) NOT NULL PRIMARY KEY, "TypeName" varchar(500) NOT NULL,
    "Arguments" text, "State" int, "CreatedAt" TIME NOT NULL, "ScheduledAt" TIME, "ExecutedAt" TIME,
    "RetryCount" int NOT NULL, "MaxRetryCount" int NOT NULL, "ErrorMessage" text, "Result" text,
    "BatchId" varchar(36), "ParentJobId" varchar(36))`;
  return table.replace(original, changed);
}

/** A column, an index or a constraint. */
type Part = Readonly<Record<string, unknown>>;

/** Every table, column and index, as the database itself describes them, in a form that can be compared. */
async function describeSchema(dialect: (typeof DIALECTS)[number], { query }: EmptyDatabase): Promise<Part[]> {
  if (dialect === 'sqlite') {
    // Not the text of the tables, which shows how they came about.
    const columns = await query<Part>(
      `SELECT t.name AS "table", c.* FROM sqlite_master AS t, pragma_table_xinfo(t.name) AS c
       WHERE t.type = 'table' AND t.name NOT LIKE 'sqlite_%' ORDER BY t.name, c.name`,
    );
    const indexes = await query<Part>(
      `SELECT name, sql FROM sqlite_master WHERE type = 'index' AND sql IS NOT NULL ORDER BY name`,
    );
    return [...columns, ...indexes];
  }
  if (dialect === 'postgres') {
    const columns = await query<Part>(
      `SELECT table_name, column_name, data_type, character_maximum_length, is_nullable
       FROM information_schema.columns WHERE table_schema = current_schema() ORDER BY table_name, column_name`,
    );
    const indexes = await query<Part>(
      `SELECT indexname, regexp_replace(indexdef, current_schema() || '.', '') AS definition
       FROM pg_indexes WHERE schemaname = current_schema() ORDER BY indexname`,
    );
    const constraints = await query<Part>(
      `SELECT conname, pg_get_constraintdef(oid) FROM pg_constraint
       WHERE connamespace = current_schema()::regnamespace ORDER BY conname`,
    );
    return [...columns, ...indexes, ...constraints];
  }
  const columns = await query<Part>(
    `SELECT table_name, column_name, column_type, is_nullable, generation_expression
     FROM information_schema.columns WHERE table_schema = DATABASE() ORDER BY table_name, column_name`,
  );
  const indexes = await query<Part>(
    `SELECT table_name, index_name, seq_in_index, column_name, non_unique
     FROM information_schema.statistics WHERE table_schema = DATABASE() ORDER BY 1, 2, 3`,
  );
  const keys = await query<Part>(
    `SELECT constraint_name, table_name, referenced_table_name, delete_rule
     FROM information_schema.referential_constraints WHERE constraint_schema = DATABASE() ORDER BY 1`,
  );
  return [...columns, ...indexes, ...keys];
}
