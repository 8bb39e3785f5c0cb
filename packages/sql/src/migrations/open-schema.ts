import { type Kysely, sql } from 'kysely';
import { Emitter } from '../schema/emit.js';
import { MIGRATIONS_TABLE } from '../schema/tables.js';
import type { MigrationEngine } from './engines/engine.js';
import { engineOf, type StoreDialect } from './engines/engine-of.js';
import { PendingMigrationsError } from './errors.js';
import { findSchema } from './find-schema.js';
import type { FoundSchema } from './inspect/found-schema.js';
import { MIGRATIONS, type Migration } from './migrations.js';
import { statementsOf } from './steps.js';

/** How to open a schema. */
export interface OpenSchemaOptions {
  /** Whether to apply what is missing, or to refuse. */
  readonly autoMigrate: boolean;
}

/**
 * Makes sure that the database has the schema of this code. Any number of processes may do so at once.
 *
 * @returns the versions that were applied now.
 * @throws PendingMigrationsError, SchemaTooNewError, SchemaMismatchError; nothing was changed then.
 */
export async function openSchema<DB>(
  db: Kysely<DB>,
  dialect: StoreDialect,
  { autoMigrate }: OpenSchemaOptions,
): Promise<number[]> {
  const engine = await engineOf(db, dialect);
  const found = await engine.patiently(() => findSchema(db, engine));
  const missing = pending(found);
  if (missing.length === 0) return [];
  if (!autoMigrate) {
    throw new PendingMigrationsError(
      missing.map(({ version }) => version),
      printCall(engine, found),
    );
  }
  return engine.exclusively(db, async (session) => {
    // Once more: another process may have done it while this one waited for its turn.
    const current = await findSchema(session, engine);
    return apply(session, engine, current);
  });
}

function pending({ applied }: FoundSchema): Migration[] {
  return MIGRATIONS.filter(({ version }) => !applied.includes(version));
}

async function apply<DB>(
  db: Kysely<DB>,
  { dialect }: MigrationEngine,
  found: FoundSchema,
): Promise<number[]> {
  const emit = new Emitter(dialect);
  const run = (statement: string) => sql.raw(statement).execute(db);
  const versions: number[] = [];
  for (const { version, name, steps } of pending(found)) {
    if (!found.hasTable('MonqueMigrations') && versions.length === 0)
      await run(emit.createTable(MIGRATIONS_TABLE));
    for (const step of steps(dialect)) {
      for (const statement of statementsOf(step, found, emit)) await run(statement);
    }
    // Last: where statements cannot be undone, a crash before this leaves the migration to be taken up again.
    await run(emit.recordMigration(version, name));
    versions.push(version);
  }
  return versions;
}

/** The call that prints what this database lacks. */
function printCall({ dialect }: MigrationEngine, found: FoundSchema): string {
  const newest = Math.max(0, ...found.applied);
  const from = newest > 0 ? newest : found.hasTable('Jobs') ? `'jobsharp'` : undefined;
  const options = [
    ...(from === undefined ? [] : [`from: ${from}`]),
    ...(found.keyCollation === undefined ? [] : [`keyCollation: '${found.keyCollation}'`]),
  ];
  return options.length === 0
    ? `migrationSql('${dialect}')`
    : `migrationSql('${dialect}', { ${options.join(', ')} })`;
}
