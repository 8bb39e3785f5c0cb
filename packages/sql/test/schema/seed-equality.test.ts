import nodeSqlParser from 'node-sql-parser';
import { describe, expect, test } from 'vitest';
import { migrationSql } from '../../src/migrations/migration-sql.js';
import { openSchema } from '../../src/migrations/open-schema.js';
import { type EmptyDatabase, jobSharpSchema, workbench } from '../migrations/workbench.js';

describe('SQLite', () => {
  const bench = workbench('sqlite');

  test('has the columns, keys and indexes of a database that was made from the seed', async () => {
    const seed = await bench.empty();
    await seed.run(jobSharpSchema('sqlite'));
    const ours = await bench.empty();
    await openSchema(ours.db, 'sqlite', { autoMigrate: true });

    for (const table of ['Jobs', 'RecurringJobs']) {
      const expected = await describeSqliteTable(seed, table);
      const actual = await describeSqliteTable(ours, table);
      expect(actual.columns.slice(0, expected.columns.length)).toEqual(expected.columns);
      expect(actual.foreignKeys).toEqual(expected.foreignKeys);
      expect(actual.indexes).toEqual(expect.arrayContaining(expected.indexes));
      // What was added must not be named by a statement of others.
      const added = actual.columns.slice(expected.columns.length) as { notnull: number }[];
      expect(added.filter(({ notnull }) => notnull)).toEqual([]);
    }
  });
});

async function describeSqliteTable({ query }: EmptyDatabase, table: string) {
  const indexes = await query<{ name: string; unique: number; partial: number }>(
    `SELECT name, "unique", partial FROM pragma_index_list('${table}') WHERE origin = 'c' ORDER BY name`,
  );
  return {
    columns: await query<object>(`SELECT * FROM pragma_table_info('${table}')`),
    foreignKeys: await query<object>(`SELECT * FROM pragma_foreign_key_list('${table}')`),
    indexes: await Promise.all(
      indexes.map(async (index) => ({
        ...index,
        keys: await query<object>(`SELECT seqno, name FROM pragma_index_info('${index.name}')`),
      })),
    ),
  };
}

/** The tables of the seed's page: column, length where it has one, and whether it may be null. */
const SEED_TABLES: Readonly<
  Record<string, readonly [string, 'text' | 'number' | 'time' | 'flag', number | null, boolean][]>
> = {
  Jobs: [
    ['Id', 'text', 36, false],
    ['TypeName', 'text', 500, false],
    ['Arguments', 'text', null, true],
    ['State', 'number', null, false],
    ['CreatedAt', 'time', null, false],
    ['ScheduledAt', 'time', null, true],
    ['ExecutedAt', 'time', null, true],
    ['RetryCount', 'number', null, false],
    ['MaxRetryCount', 'number', null, false],
    ['ErrorMessage', 'text', null, true],
    ['Result', 'text', null, true],
    ['BatchId', 'text', 36, true],
    ['ParentJobId', 'text', 36, true],
  ],
  RecurringJobs: [
    ['Id', 'text', 200, false],
    ['CronExpression', 'text', 100, false],
    ['JobTypeName', 'text', 500, false],
    ['JobArguments', 'text', null, true],
    ['MaxRetryCount', 'number', null, false],
    ['NextExecution', 'time', null, true],
    ['LastExecution', 'time', null, true],
    ['IsEnabled', 'flag', null, false],
    ['CreatedAt', 'time', null, false],
  ],
};

const SEED_INDEXES = {
  IX_Jobs_BatchId: ['BatchId'],
  IX_Jobs_ParentJobId: ['ParentJobId'],
  IX_Jobs_ScheduledAt: ['ScheduledAt'],
  IX_Jobs_State: ['State'],
  IX_Jobs_State_ScheduledAt: ['State', 'ScheduledAt'],
  IX_RecurringJobs_IsEnabled: ['IsEnabled'],
  IX_RecurringJobs_NextExecution: ['NextExecution'],
};

/** Indexes that hold no row without a value on PostgreSQL, where each change of a row writes all of them. */
const LINKS: ReadonlySet<string> = new Set(['IX_Jobs_BatchId', 'IX_Jobs_ParentJobId']);

interface ServerColumn {
  readonly name: string;
  readonly type: string;
  readonly length: number | string | null;
  readonly nullable: string;
}

describe('PostgreSQL', { timeout: 60_000 }, () => {
  const bench = workbench('postgres');
  const types = {
    text: ['character varying', 'text'],
    number: 'integer',
    time: 'timestamp with time zone',
    flag: 'boolean',
  };

  test('has the tables of the seed, in the types that EF Core gives them there', async () => {
    const { db, query } = await bench.empty();
    await openSchema(db, 'postgres', { autoMigrate: true });
    for (const [table, columns] of Object.entries(SEED_TABLES)) {
      const found = await query<ServerColumn>(
        `SELECT column_name AS name, data_type AS type, character_maximum_length AS length, is_nullable AS nullable
         FROM information_schema.columns
         WHERE table_schema = current_schema() AND table_name = '${table}' ORDER BY ordinal_position`,
      );
      expect(found.slice(0, columns.length)).toEqual(
        columns.map(([name, kind, length, nullable]) => ({
          name,
          type: kind === 'text' ? types.text[length === null ? 1 : 0] : types[kind],
          length,
          nullable: nullable ? 'YES' : 'NO',
        })),
      );
      expect(found.slice(columns.length).filter(({ nullable }) => nullable === 'NO')).toEqual([]);
    }

    const indexes = await query<{ name: string; definition: string }>(
      'SELECT indexname AS name, indexdef AS definition FROM pg_indexes WHERE schemaname = current_schema()',
    );
    for (const [name, keys] of Object.entries(SEED_INDEXES)) {
      const definition = indexes.find((index) => index.name === name)?.definition;
      const columns = keys.map((key) => `"${key}"`).join(', ');
      const rows = LINKS.has(name) ? ` WHERE (${columns} IS NOT NULL)` : '';
      expect(definition?.split(' USING ')[1]).toBe(`btree (${columns})${rows}`);
    }
    const constraints = await query<{ name: string; definition: string }>(
      `SELECT conname AS name, pg_get_constraintdef(oid) AS definition FROM pg_constraint
       WHERE connamespace = current_schema()::regnamespace AND conrelid = '"Jobs"'::regclass`,
    );
    expect(constraints).toEqual(
      expect.arrayContaining([
        { name: 'PK_Jobs', definition: 'PRIMARY KEY ("Id")' },
        {
          name: 'FK_Jobs_Jobs_ParentJobId',
          definition: 'FOREIGN KEY ("ParentJobId") REFERENCES "Jobs"("Id") ON DELETE CASCADE',
        },
      ]),
    );
  });
});

describe('MariaDB', { timeout: 60_000 }, () => {
  const bench = workbench('mariadb');
  const types = { text: ['varchar', 'longtext'], number: 'int', time: 'datetime', flag: 'tinyint' };

  test('has the tables of the seed, in texts that are equal only when they are the same', async () => {
    const { db, query } = await bench.empty();
    await openSchema(db, 'mariadb', { autoMigrate: true });
    for (const [table, columns] of Object.entries(SEED_TABLES)) {
      const found = await query<ServerColumn>(
        `SELECT column_name AS name, data_type AS type, IF(data_type = 'varchar', character_maximum_length, NULL) AS length,
                is_nullable AS nullable
         FROM information_schema.columns
         WHERE table_schema = DATABASE() AND table_name = '${table}' ORDER BY ordinal_position`,
      );
      expect(found.slice(0, columns.length)).toEqual(
        columns.map(([name, kind, length, nullable]) => ({
          name,
          type: kind === 'text' ? types.text[length === null ? 1 : 0] : types[kind],
          length,
          nullable: nullable ? 'YES' : 'NO',
        })),
      );
      expect(found.slice(columns.length).filter(({ nullable }) => nullable === 'NO')).toEqual([]);
    }

    const indexes = await query<{ name: string; keys: string }>(
      `SELECT index_name AS name, GROUP_CONCAT(column_name ORDER BY seq_in_index) AS \`keys\`
       FROM information_schema.statistics WHERE table_schema = DATABASE() GROUP BY table_name, index_name`,
    );
    for (const [name, keys] of Object.entries(SEED_INDEXES)) {
      expect(indexes).toContainEqual({ name, keys: keys.join(',') });
    }
    const [definition] = await query<{ 'Create Table': string }>('SHOW CREATE TABLE `Jobs`');
    expect(definition?.['Create Table']).toContain(
      'CONSTRAINT `FK_Jobs_Jobs_ParentJobId` FOREIGN KEY (`ParentJobId`) REFERENCES `Jobs` (`Id`) ON DELETE CASCADE',
    );

    const compared = await query<{ same: number }>(
      `SELECT COUNT(*) AS same FROM (SELECT 'a' COLLATE utf8mb4_nopad_bin AS x) AS t WHERE x IN ('A', 'a ', 'á')`,
    );
    expect(compared).toEqual([{ same: 0 }]);
  });
});

interface ParsedStatement {
  readonly type: string;
  readonly keyword?: string;
  readonly table: readonly { readonly table: string }[];
  readonly create_definitions: readonly { readonly column?: { readonly column: string } }[];
}

describe('SQL Server', () => {
  const statements = (script: string) =>
    script
      .replace(/^--.*$/gm, '')
      .split(';')
      .map((statement) => statement.replace(/\s+/g, ' ').trim())
      .filter((statement) => statement !== '');

  test('the printed statements hold those of the seed, word for word', () => {
    const printed = statements(migrationSql('sqlserver'));
    const seed = statements(jobSharpSchema('sqlserver'));
    expect(printed.slice(1, 1 + seed.length)).toEqual(seed);
  });

  test('a T-SQL parser reads every statement', () => {
    const parser = new nodeSqlParser.Parser();
    const columns = new Map<string, string[]>();
    for (const statement of statements(migrationSql('sqlserver'))) {
      // Foreign keys are the one thing that it does not know; the test above compares the seed's.
      const known = statement.replace(/, CONSTRAINT \[FK_\w+\] FOREIGN KEY .* ON DELETE CASCADE/, '');
      const [ast] = [parser.astify(known, { database: 'transactsql' })].flat() as ParsedStatement[];
      if (ast?.type !== 'create' || ast.keyword !== 'table') continue;
      const names = ast.create_definitions.flatMap(({ column }) => (column ? [column.column] : []));
      columns.set(ast.table[0]?.table ?? '', names);
    }
    for (const [table, expected] of Object.entries(SEED_TABLES)) {
      expect(columns.get(table)).toEqual(expected.map(([name]) => name));
    }
    expect(columns.get('JobLogs')).toContain('JobId');
  });

  test('its filters compare columns with constants, which is all that the server takes', () => {
    const filters = statements(migrationSql('sqlserver')).flatMap(
      (statement) => /INDEX .* WHERE (.*)$/.exec(statement)?.[1] ?? [],
    );
    expect(filters.length).toBeGreaterThan(0);
    for (const filter of filters) {
      for (const term of filter.split(' AND ')) {
        expect(term).toMatch(/^\[\w+\] (IS NOT NULL|IN \([\d, ]+\))$/);
      }
    }
  });

  test('says that it is a schema only', () => {
    expect(migrationSql('sqlserver')).toMatch(/^-- Schema only/);
  });
});

test('the statements for SQLite hold those of the seed, word for word', () => {
  const words = (script: string) =>
    script
      .replace(/^--.*$/gm, '')
      .replace(/\s+/g, ' ')
      .trim();
  const printed = words(migrationSql('sqlite'));
  const [jobs, recurringJobs] = words(jobSharpSchema('sqlite')).split(/(?=CREATE TABLE "RecurringJobs")/);
  expect(printed).toContain(jobs?.trim());
  expect(printed).toContain(recurringJobs);
});
