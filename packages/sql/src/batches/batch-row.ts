import type { BatchFill, BatchOutcome, BatchRecord } from '@monque/core';
import type { Dialect } from '../dialect.js';
import type { Row } from '../operation.js';
import { parseJson, toJson } from '../rows/job-row.js';
import { parseTime } from '../rows/times.js';
import type { BatchRow } from '../schema/columns.js';

/** The columns of a batch in the order in which every query asks for them. */
export const BATCH_COLUMNS = [
  'Id',
  'Name',
  'CreatedAt',
  'UpdatedAt',
  'StartedAt',
  'FinishedAt',
  'Outcome',
  'Version',
  'Fills',
] as const satisfies readonly (keyof BatchRow)[];

/** Those of them that hold times. */
export const BATCH_TIMES: ReadonlySet<keyof BatchRow> = new Set([
  'CreatedAt',
  'UpdatedAt',
  'StartedAt',
  'FinishedAt',
] as const);

/** The row of a batch. */
export function toBatchRow(record: BatchRecord, { toTime }: Dialect): BatchRow<string> {
  const { id, name, createdAt, updatedAt, startedAt, finishedAt, outcome, version, fills } = record;
  return {
    Id: id,
    Name: name ?? null,
    CreatedAt: toTime(createdAt),
    UpdatedAt: toTime(updatedAt),
    StartedAt: startedAt === undefined ? null : toTime(startedAt),
    FinishedAt: finishedAt === undefined ? null : toTime(finishedAt),
    Outcome: outcome ?? null,
    Version: version,
    Fills: toJson(fills),
  };
}

/** A batch from a row in the order of {@link BATCH_COLUMNS}. What is null there is absent here. */
export function toBatchRecord(row: Row): BatchRecord {
  const [id, name, created, updated, started, finished, outcome, version, fills] = row;
  const startedAt = parseTime(started);
  const finishedAt = parseTime(finished);
  return {
    id: id as string,
    ...(name !== null && { name: name as string }),
    createdAt: parseTime(created) ?? new Date(0),
    updatedAt: parseTime(updated) ?? new Date(0),
    ...(startedAt !== undefined && { startedAt }),
    ...(finishedAt !== undefined && { finishedAt }),
    ...(outcome !== null && { outcome: outcome as BatchOutcome }),
    version: Number(version),
    fills: (parseJson(fills) as BatchFill[]).map((fill) => ({ ...fill, at: new Date(fill.at) })),
  };
}
