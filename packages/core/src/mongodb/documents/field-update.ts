import type { UpdateFilter } from 'mongodb';
import { type JobDocument, withoutFields } from './job-document.js';

/** Fields that a write sets and takes away. Kept apart from the driver's form, so that it can be applied here too. */
export interface FieldUpdate {
  readonly set: Partial<JobDocument>;
  readonly unset: Readonly<Record<string, 1>>;
}

/** The update in the driver's form. */
export function toUpdate({ set, unset }: FieldUpdate): UpdateFilter<JobDocument> {
  return Object.keys(unset).length === 0 ? { $set: set } : { $set: set, $unset: unset };
}

/** The job after the update, without another read. Jobs that share an update share no date: whoever gets one may change it. */
export function applyUpdate(job: JobDocument, { set, unset }: FieldUpdate): JobDocument {
  const after: JobDocument & Record<string, unknown> = { ...withoutFields(job, unset), ...set };
  for (const [field, value] of Object.entries(set)) {
    if (value instanceof Date) after[field] = new Date(value);
  }
  return after;
}
