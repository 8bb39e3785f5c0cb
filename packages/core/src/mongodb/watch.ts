import type { ChangeStream, Document, ObjectId } from 'mongodb';
import { WatchUnsupportedError } from '../errors/operation-errors.js';
import type { Subscription, WatchObserver } from '../store/watch-types.js';
import type { Announced } from './claim/announced.js';
import { errorCode } from './driver-errors.js';
import type { MongoContext } from './mongo-context.js';

/** How long the server holds an empty answer back, in milliseconds. A change ends the wait at once. */
const MAX_AWAIT_MS = 10_000;

/** How long an error may come after the close that it caused, in milliseconds. */
const CLOSE_GRACE_MS = 500;

/** A standalone server; one that does not know the stage; a user who may not; a storage engine that cannot. */
const UNSUPPORTED = new Set<unknown>([40_573, 40_324, 13, 115]);

/**
 * Only what wakes somebody crosses the network, and of it only the fields that are looked at: claims and
 * completions, which are most of the traffic, stay on the server.
 */
const PIPELINE: Document[] = [
  {
    $match: {
      $or: [
        { operationType: 'insert', 'fullDocument.status': 'pending' },
        { operationType: 'replace', 'fullDocument.status': { $in: ['pending', 'cancelled'] } },
        {
          operationType: 'update',
          $or: [
            { 'updateDescription.updatedFields.status': { $in: ['pending', 'cancelled'] } },
            { 'updateDescription.updatedFields.nextRunAt': { $exists: true } },
          ],
        },
        { operationType: { $in: ['delete', 'drop', 'rename', 'dropDatabase', 'invalidate'] } },
      ],
    },
  },
  {
    $project: {
      operationType: 1,
      'documentKey._id': 1,
      'fullDocument.name': 1,
      'fullDocument.status': 1,
      'fullDocument.nextRunAt': 1,
      'updateDescription.updatedFields.status': 1,
      'updateDescription.updatedFields.nextRunAt': 1,
    },
  },
];

/** A change as the pipeline leaves it. */
interface SeenChange {
  readonly operationType: string;
  readonly documentKey?: { readonly _id: ObjectId };
  readonly fullDocument?: ChangedFields & { readonly name?: string };
  readonly updateDescription?: { readonly updatedFields?: ChangedFields };
}

interface ChangedFields {
  readonly status?: string;
  readonly nextRunAt?: unknown;
}

/**
 * Subscribes to the collection's changes. Resolves when the server has opened the stream: what is written from then
 * on is seen. After a lost connection the driver resumes where it was; where it cannot, the observer is told.
 */
export async function watch(
  { jobs, announced }: MongoContext,
  observer: WatchObserver<ObjectId>,
): Promise<Subscription> {
  const stream = jobs.watch<Document, Document>(PIPELINE, {
    maxAwaitTimeMS: MAX_AWAIT_MS,
    // What a majority has; the server takes no other for a stream.
    readConcern: { level: 'majority' },
  });
  let isOver = false;
  const end = async () => {
    isOver = true;
    await stream.close().catch(() => undefined);
  };
  const lose = (error: Error) => {
    if (isOver) return;
    void end();
    observer.lost(error);
  };
  try {
    await opened(stream, (change) => {
      if (isOver) return;
      const seen = change as unknown as SeenChange;
      if (isEnd(seen)) lose(new Error('The collection of jobs was dropped or renamed'));
      else report(seen, announced, observer);
    });
  } catch (error) {
    await end();
    throw UNSUPPORTED.has(errorCode(error))
      ? new WatchUnsupportedError('The server has no change streams. Run it as a replica set to have them', {
          cause: error,
        })
      : error;
  }
  stream.on('error', lose);
  stream.on('close', () => lose(new Error('The change stream was closed')));
  return { close: end };
}

/** Listens, and waits until the server has answered for the first time: only that brings a resume token. */
function opened(
  stream: ChangeStream<Document, Document>,
  listener: (change: Document) => void,
): Promise<void> {
  return new Promise((resolve, reject) => {
    // Stays for good: an error that nobody listens to would end the process.
    stream.on('error', reject);
    // Comes before the error that says why, if there is one.
    stream.once('close', () =>
      setTimeout(reject, CLOSE_GRACE_MS, new Error('The change stream was closed')).unref(),
    );
    stream.once('resumeTokenChanged', () => resolve());
    stream.on('change', listener);
  });
}

function report(
  { operationType, documentKey, fullDocument, updateDescription }: SeenChange,
  announced: Announced,
  observer: WatchObserver<ObjectId>,
): void {
  const fields = fullDocument ?? updateDescription?.updatedFields;
  if (operationType === 'delete' || fields?.status === 'cancelled') {
    if (documentKey !== undefined) observer.stopped(documentKey._id);
    return;
  }
  // A job that goes back to pending with its due time unchanged was due before, and so it is now.
  const nextRunAt = fields?.nextRunAt instanceof Date ? fields.nextRunAt : new Date(0);
  const name = fullDocument?.name;
  if (documentKey !== undefined) announced.note({ id: documentKey._id, nextRunAt, name });
  observer.due(nextRunAt, name);
}

function isEnd({ operationType }: SeenChange): boolean {
  return ['drop', 'rename', 'dropDatabase', 'invalidate'].includes(operationType);
}
