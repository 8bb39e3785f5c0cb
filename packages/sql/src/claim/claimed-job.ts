import type { ClaimRequest, StoredJob } from '@monque/core';
import type { Row } from '../operation.js';
import { addRare, BASIC_COLUMNS, claimedBasicJob, RARE_COLUMNS } from '../rows/job-row.js';
import type { TypeNames } from '../rows/type-names.js';

/** How many columns a claimed job has; what a store asks for beside them comes behind. */
export const CLAIMED_WIDTH = BASIC_COLUMNS.length + 1;

/**
 * What is read of a claimed job, as text: what every job has, and all the rest in one column that is null for most. Each
 * value more would cost each job, in the driver above all. What the claim writes is known without reading it.
 *
 * @param column - Writes a column.
 * @param pack - Writes columns as a JSON array, or null where all of them are.
 */
export function claimedColumns(
  column: (name: string) => string,
  pack: (columns: readonly string[]) => string,
): string {
  return [...BASIC_COLUMNS.map(column), pack(RARE_COLUMNS.map(column))].join(', ');
}

/** A job from a row of {@link claimedColumns}; its times are those that the engine knows, a moment from the server's. */
export function claimedJob(row: Row, names: TypeNames, request: ClaimRequest): StoredJob<string> {
  const job = claimedBasicJob(row, names, request);
  const packed = row[BASIC_COLUMNS.length];
  if (packed !== null) addRare(job, unpack(packed));
  return job;
}

/** Some drivers read JSON by themselves. */
function unpack(packed: unknown): Row {
  return typeof packed === 'string' ? (JSON.parse(packed) as Row) : (packed as Row);
}
