import type { Kysely } from 'kysely';
import type { SchemaDialect } from '../../schema/dialect.js';
import type { Inspector } from '../inspect/inspector.js';

/** What migrations need to know of one kind of database. */
export interface MigrationEngine {
  readonly dialect: SchemaDialect;
  readonly inspector: Inspector;
  /** Reads, however long others keep the database busy. */
  patiently<T>(read: () => Promise<T>): Promise<T>;
  /** Runs work that no other process does at the same time. A failure undoes it where the database can. */
  exclusively<DB, T>(db: Kysely<DB>, work: (session: Kysely<DB>) => Promise<T>): Promise<T>;
}
