import type { JobStore } from '@monque/core';

/** Of no consequence to SQL stores, whose tables have fixed names and indexes. */
const STORE_OPTIONS = { collectionName: 'Jobs', skipIndexCreation: false, retention: false } as const;

/**
 * Makes the tables, or brings them up to date, and closes the store again: a step of a deployment, before processes start
 * whose stores have `autoMigrate: false`.
 *
 * @param store - One with `autoMigrate` at `true`.
 * @throws SchemaTooNewError, SchemaMismatchError; nothing was changed then.
 *
 * @example
 * ```ts
 * import { migrate, postgres } from '@monque/sql';
 *
 * await migrate(postgres('postgres://localhost/shop'));
 * ```
 */
export async function migrate(store: Pick<JobStore<string>, 'open' | 'close'>): Promise<void> {
  try {
    await store.open(STORE_OPTIONS);
  } finally {
    await store.close();
  }
}
