import type { IndexDescriptionInfo } from 'mongodb';
import type { Jobs } from '../documents/job-document.js';
import { DUPLICATE_KEY, errorCode } from '../driver-errors.js';
import { INDEXES, type IndexRole, type IndexSpec, RETENTION_INDEX } from './index-specs.js';

/** Names of indexes that a query may name as its hint. */
export type IndexNames = Partial<Record<IndexRole, string>>;

/** What to do about indexes. */
export interface IndexOptions {
  readonly skipIndexCreation: boolean;
  readonly retention: boolean;
}

/** IndexOptionsConflict, IndexKeySpecsConflict: another process, or a user, was faster with one like ours. */
const CONFLICTS = new Set<unknown>([85, 86]);
const NAMESPACE_NOT_FOUND = 26;

/** What the indexes that exist are good for. */
export interface KnownIndexes {
  readonly names: IndexNames;
  /** Whether one of them keeps unique keys unique. */
  readonly guardsKeys: boolean;
}

/**
 * Creates the missing indexes in one call, adopts those that exist, and answers what they are good for. Safe to call
 * from many processes at once: creating an index that exists is no error. Where duplicates are stored, the
 * unique one cannot be made: then the others are, and the failure is thrown.
 */
export async function ensureIndexes(jobs: Jobs, options: IndexOptions): Promise<KnownIndexes> {
  const existing = await listIndexes(jobs);
  if (options.skipIndexCreation) return known(existing);
  const wanted: IndexSpec[] = [...Object.values(INDEXES), ...(options.retention ? [RETENTION_INDEX] : [])];
  const missing = wanted.filter((spec) => !existing.some((index) => serves(index, spec)));
  if (missing.length === 0) return known(existing);
  try {
    await createIndexes(jobs, missing, existing);
  } catch (error) {
    const isDuplicate = errorCode(error) === DUPLICATE_KEY;
    if (!isDuplicate && !CONFLICTS.has(errorCode(error))) throw error;
    const now = await listIndexes(jobs);
    const still = missing.filter((spec) => !now.some((index) => serves(index, spec)));
    const possible = isDuplicate ? still.filter(({ unique }) => !unique) : still;
    if (possible.length > 0) await createIndexes(jobs, possible, now);
    if (isDuplicate) throw error;
  }
  return knownIndexes(jobs);
}

/** What the indexes that exist are good for; creates none. */
export async function knownIndexes(jobs: Jobs): Promise<KnownIndexes> {
  return known(await listIndexes(jobs));
}

function known(existing: readonly IndexDescriptionInfo[]): KnownIndexes {
  return {
    names: usableNames(existing),
    guardsKeys: existing.some((index) => serves(index, INDEXES.uniqueKey)),
  };
}

async function createIndexes(
  jobs: Jobs,
  specs: readonly IndexSpec[],
  existing: readonly IndexDescriptionInfo[],
): Promise<void> {
  const taken = new Set(existing.map(({ name }) => name));
  await jobs.createIndexes(
    specs.map((spec) => {
      const plainName = Object.entries(spec.key).flat().join('_');
      return {
        ...spec,
        key: { ...spec.key },
        // The usual name, unless an index that does not serve has it.
        name: taken.has(plainName) ? `${plainName}_monque` : plainName,
        background: true,
      };
    }),
  );
}

async function listIndexes(jobs: Jobs): Promise<IndexDescriptionInfo[]> {
  try {
    return await jobs.listIndexes().toArray();
  } catch (error) {
    if (errorCode(error) === NAMESPACE_NOT_FOUND) return [];
    throw error;
  }
}

/** Whether an index takes the place of ours: the same keys, plain or partial. Uniqueness cannot be done without. */
function serves(index: IndexDescriptionInfo, spec: IndexSpec): boolean {
  return sameKeys(index, spec) && (spec.unique === undefined || index.unique === true);
}

/**
 * Names that are safe as a hint. A hint makes the server use an index even where it holds only some of the
 * matching documents, so one that others made partial in another way is never named.
 */
function usableNames(existing: readonly IndexDescriptionInfo[]): IndexNames {
  const names: IndexNames = {};
  for (const [role, spec] of Object.entries(INDEXES) as [IndexRole, IndexSpec][]) {
    const index = existing.find((candidate) => serves(candidate, spec) && holdsEnough(candidate, spec));
    if (index?.name !== undefined) names[role] = index.name;
  }
  return names;
}

function holdsEnough(index: IndexDescriptionInfo, spec: IndexSpec): boolean {
  if (index.sparse === true || index.hidden === true || index.collation !== undefined) return false;
  if (index.partialFilterExpression === undefined) return true;
  return sameFilter(index.partialFilterExpression, spec.partialFilterExpression);
}

function sameKeys(index: IndexDescriptionInfo, spec: IndexSpec): boolean {
  return inOrder(index.key) === inOrder(spec.key);
}

/** The order of the keys matters, and so does their direction. */
function inOrder(key: object): string {
  return JSON.stringify(Object.entries(key).map(([field, direction]) => [field, Number(direction)]));
}

function sameFilter(one: unknown, other: unknown): boolean {
  return canonical(one) === canonical(other);
}

/** Text that is the same for the same filter, in whatever order its fields stand. JSON has no infinity. */
function canonical(value: unknown): string {
  if (typeof value !== 'object' || value === null) return String(value);
  const fields = Object.entries(value).map(([field, inner]) => `${field}:${canonical(inner)}`);
  return `{${fields.sort().join()}}`;
}
