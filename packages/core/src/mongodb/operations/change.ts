import type { ObjectId } from 'mongodb';
import type { Change, Changed } from '../../store/change-types.js';
import { inChunks } from '../../store/in-chunks.js';
import { toStoredJob } from '../documents/job-document.js';
import { DUPLICATE_KEY, errorCode } from '../driver-errors.js';
import type { MongoContext } from '../mongo-context.js';
import { changeable, changedJob, changeUpdate } from './change-update.js';

/** Jobs that are changed at the same time. */
const AT_ONCE = 20;

/** Changes jobs one by one, each if its status allows it; answers those that were. Index: _id_. */
export async function change(
  context: MongoContext,
  ids: readonly ObjectId[],
  request: Change,
  now: Date,
): Promise<Changed<ObjectId>[]> {
  const answers: (Changed<ObjectId> | undefined)[] = [];
  for (const chunk of inChunks(ids, AT_ONCE)) {
    answers.push(...(await Promise.all(chunk.map((id) => changeOne(context, id, request, now)))));
  }
  return answers.filter((answer) => answer !== undefined);
}

async function changeOne(
  { jobs }: MongoContext,
  id: ObjectId,
  request: Change,
  now: Date,
): Promise<Changed<ObjectId> | undefined> {
  try {
    const before = await jobs.findOneAndUpdate(
      { _id: id, ...changeable(request) },
      changeUpdate(request, now),
      { returnDocument: 'before' },
    );
    if (before === null) return undefined;
    return { job: toStoredJob(changedJob(before, request, now)), previousStatus: before.status };
  } catch (error) {
    // Another active job holds the unique key.
    if (errorCode(error) === DUPLICATE_KEY) return undefined;
    throw error;
  }
}
