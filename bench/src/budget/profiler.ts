import type { Db, Document } from 'mongodb';
import type { Counts } from './counts.js';
import { kindOf, type OperationKind } from './operation-kind.js';

/** One operation, as the server saw it. */
interface ProfiledOperation {
  readonly kind: OperationKind;
  readonly counts: Omit<Counts, 'commands' | 'statements'>;
}

/** Enough for some ten thousand operations; the default of 1 MB would forget the first of a few hundred. */
const PROFILE_BYTES = 64 * 1024 * 1024;

/**
 * The server's own record of what each operation cost it. Exact, unlike its slow log, and unlike `explain` of what was
 * actually run.
 */
export class Profiler {
  readonly #db: Db;

  /** @param db - The profiled database; this handle's own operations are not counted. */
  constructor(db: Db) {
    this.#db = db;
  }

  async start(): Promise<void> {
    await this.#db.command({ profile: 0 });
    await this.#db.dropCollection('system.profile').catch(() => false);
    await this.#db.createCollection('system.profile', { capped: true, size: PROFILE_BYTES });
    await this.#db.command({ profile: 2 });
  }

  /** Ends the record; answers the operations on a collection. */
  async end(collection: string): Promise<ProfiledOperation[]> {
    await this.#db.command({ profile: 0 });
    const entries = await this.#db
      .collection('system.profile')
      .find({ ns: `${this.#db.databaseName}.${collection}` }, { projection: { execStats: 0 } })
      .toArray();
    return entries.map((entry) => ({ kind: kindOfEntry(entry), counts: countsOf(entry) }));
  }
}

function kindOfEntry({ op, command, originatingCommand }: Document): OperationKind {
  return kindOf(op === 'getmore' ? originatingCommand : command);
}

function countsOf(entry: Document): ProfiledOperation['counts'] {
  return {
    documentsExamined: entry.docsExamined ?? 0,
    keysExamined: entry.keysExamined ?? 0,
    documentsWritten: (entry.ninserted ?? 0) + (entry.nModified ?? 0),
    keysWritten: (entry.keysInserted ?? 0) + (entry.keysDeleted ?? 0),
  };
}
