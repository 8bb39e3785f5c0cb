import { MonqueError } from '@monque/core';

/** A table of the same name has another shape. Nothing was changed. */
export class SchemaMismatchError extends MonqueError {
  static {
    nameErrors(SchemaMismatchError, 'SchemaMismatchError');
  }
  override readonly code = 'MONQUE_SCHEMA_MISMATCH';
  /** What is different, one sentence each. */
  readonly problems: readonly string[];

  constructor(problems: readonly string[]) {
    super(
      `The database has tables that are not those of JobSharp or Monque, and nothing was changed: ` +
        `${problems.join('; ')}. Use another database or schema for Monque, or rename what is in its way`,
    );
    this.problems = problems;
  }
}

/** The schema was migrated by a newer version of the package. Nothing was changed. */
export class SchemaTooNewError extends MonqueError {
  static {
    nameErrors(SchemaTooNewError, 'SchemaTooNewError');
  }
  override readonly code = 'MONQUE_SCHEMA_TOO_NEW';
  /** The version that the database has. */
  readonly found: number;
  /** The newest version that this code knows. */
  readonly known: number;

  constructor(found: number, known: number) {
    super(
      `The schema of the database has version ${found}, and this @monque/sql knows versions up to ${known}. ` +
        'Update @monque/sql in this process',
    );
    this.found = found;
    this.known = known;
  }
}

/** The schema lacks migrations, and `autoMigrate: false` keeps the store from applying them. Nothing was changed. */
export class PendingMigrationsError extends MonqueError {
  static {
    nameErrors(PendingMigrationsError, 'PendingMigrationsError');
  }
  override readonly code = 'MONQUE_PENDING_MIGRATIONS';
  /** The versions that are missing, in the order in which they are applied. */
  readonly versions: readonly number[];

  constructor(versions: readonly number[], printCall: string) {
    super(
      `The schema lacks the migrations ${versions.join(', ')}. Leave autoMigrate at true, or apply them beforehand: ` +
        `with migrate(store), or with what ${printCall} prints`,
    );
    this.versions = versions;
  }
}

/** On the prototype, where the first line of a stack takes it from, and written out, since minifiers rename classes. */
function nameErrors(errorClass: { readonly prototype: Error }, name: string): void {
  Object.defineProperty(errorClass.prototype, 'name', { value: name, configurable: true, writable: true });
}
