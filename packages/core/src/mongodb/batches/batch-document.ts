import type { Collection } from 'mongodb';
import type { BatchRecord } from '../../store/batch-types.js';

/** The record of a batch as MongoDB holds it. */
export type BatchDocument = Omit<BatchRecord, 'id'> & { _id: string };

/** The collection of the records of batches. */
export type Batches = Collection<BatchDocument>;

export function toBatchDocument({ id, ...rest }: BatchRecord): BatchDocument {
  return { _id: id, ...rest };
}

export function toBatchRecord({ _id, ...rest }: BatchDocument): BatchRecord {
  return { id: _id, ...rest };
}
