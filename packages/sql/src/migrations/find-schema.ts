import { type Kysely, sql } from 'kysely';
import { checkShape } from './check-shape.js';
import type { MigrationEngine } from './engines/engine.js';
import { SchemaTooNewError } from './errors.js';
import { FoundSchema } from './inspect/found-schema.js';
import { LATEST_VERSION } from './migrations.js';

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
  const found = new FoundSchema(inspection, hasVersions ? await versions(db) : []);
  const newest = Math.max(0, ...found.applied);
  // First: a newer schema may have another shape.
  if (newest > LATEST_VERSION) throw new SchemaTooNewError(newest, LATEST_VERSION);
  checkShape(found, inspector);
  return found;
}

async function versions<DB>(db: Kysely<DB>): Promise<number[]> {
  const { rows } = await sql<{ version: number }>`
    SELECT ${sql.ref('Version')} AS version FROM ${sql.table('MonqueMigrations')}`.execute(db);
  return rows.map(({ version }) => Number(version));
}
