import type { SchemaDialect } from '../schema/dialect.js';
import { Emitter } from '../schema/emit.js';
import { MIGRATIONS_TABLE } from '../schema/tables.js';
import { MIGRATIONS } from './migrations.js';
import { type Existing, NOTHING, statementsOf } from './steps.js';

/** Which migrations to print. */
export interface MigrationSqlOptions {
  /**
   * What the database has: `empty` for nothing, `jobsharp` for the tables that JobSharp made, or the version of the
   * schema that was migrated last.
   *
   * @defaultValue `'empty'`
   */
  from?: 'empty' | 'jobsharp' | number;
  /**
   * Of the column `Id` of `Jobs`, where others made that table on MariaDB or MySQL: a column that refers to it must have
   * the same one. The error that names the missing migrations names it, too.
   *
   * @defaultValue that of new tables
   */
  keyCollation?: string;
}

/** Version 1 is what JobSharp makes. */
const JOBSHARP_VERSION = 1;

/** The rows are there, and nothing of ours is. */
const JOBSHARP: Existing = {
  hasTable: (table) => table === 'Jobs' || table === 'RecurringJobs',
  hasColumn: () => false,
  hasIndex: () => false,
};

/**
 * The SQL that makes or extends the tables, for people who apply migrations by hand (`autoMigrate: false`) or want to
 * see them first. It records what it does, so that the stores know.
 *
 * `sqlserver` is the schema only: no store runs there, and no server was at hand to try it on. JobSharp's own part is printed as
 * JobSharp documents it, with a cascade from `Jobs` to itself; where a server refuses that, leave the cascade out.
 *
 * @example
 * ```ts
 * import { migrationSql } from '@monque/sql';
 *
 * console.log(migrationSql('postgres'));
 * console.log(migrationSql('sqlite', { from: 'jobsharp' }));
 * ```
 */
export function migrationSql(
  dialect: SchemaDialect,
  { from = 'empty', keyCollation }: MigrationSqlOptions = {},
): string {
  const emit = new Emitter(dialect);
  const rows = from === 'jobsharp' ? JOBSHARP : NOTHING;
  const existing = keyCollation === undefined ? rows : { ...rows, keyCollation };
  const after = from === 'empty' ? 0 : from === 'jobsharp' ? JOBSHARP_VERSION : from;
  const parts = typeof from === 'number' ? [] : [emit.createTable(MIGRATIONS_TABLE)];
  for (const { version, name, steps } of MIGRATIONS) {
    const isNew = version > after;
    if (isNew) {
      const statements = steps(dialect).flatMap((step) => statementsOf(step, existing, emit));
      parts.push(`-- Version ${version}: ${name}`, ...statements);
    }
    if (isNew || from === 'jobsharp') parts.push(emit.recordMigration(version, name));
  }
  return script(dialect, parts);
}

/** Where statements about the schema can be undone, all of them take effect or none. */
function script(dialect: SchemaDialect, parts: readonly string[]): string {
  const inTransaction = dialect === 'sqlite' || dialect === 'postgres';
  const label =
    dialect === 'sqlserver'
      ? ['-- Schema only: the stores of Monque run on other databases, and this was not tried on a server']
      : [];
  const all = [...label, ...(inTransaction ? ['BEGIN', ...parts, 'COMMIT'] : parts)];
  return `${all.map((part) => (part.startsWith('--') ? part : `${part};`)).join('\n\n')}\n`;
}
