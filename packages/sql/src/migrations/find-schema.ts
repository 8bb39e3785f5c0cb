import { type Kysely, sql } from 'kysely';
import type { MigrationEngine } from './engines/engine.js';
import { SchemaMismatchError, SchemaTooNewError } from './errors.js';
import { FoundSchema } from './inspect/found-schema.js';
import { LATEST_VERSION } from './migrations.js';
import { problemsOf } from './shape-problems.js';

/**
 * Looks at what is in the database, and changes nothing.
 *
 * @throws SchemaTooNewError, SchemaMismatchError when this code cannot work with it.
 */
export async function findSchema<DB>(db: Kysely<DB>, { inspector }: MigrationEngine): Promise<FoundSchema> {
  const inspection = await inspector.inspect(db);
  const empty = new FoundSchema(inspection, []);
  // Another table of that name is found by the check below; it must not be asked for versions.
  const hasVersions = empty.hasColumn('MonqueMigrations', 'Version');
  const applied = hasVersions ? await versions(db) : [];
  const newest = Math.max(0, ...applied);
  // First: a newer schema may have another shape.
  if (newest > LATEST_VERSION) throw new SchemaTooNewError(newest, LATEST_VERSION);
  const found = new FoundSchema(inspection, applied);
  if (problemsOf(found, inspector).length === 0) return found;
  // Another process may have finished a migration between the two looks. What it recorded is there at the next one.
  const later = new FoundSchema(await inspector.inspect(db), applied);
  const problems = problemsOf(later, inspector);
  if (problems.length > 0) throw new SchemaMismatchError(problems);
  return later;
}

async function versions<DB>(db: Kysely<DB>): Promise<number[]> {
  const { rows } = await sql<{ version: number }>`
    SELECT ${sql.ref('Version')} AS version FROM ${sql.table('MonqueMigrations')}`.execute(db);
  return rows.map(({ version }) => Number(version));
}
