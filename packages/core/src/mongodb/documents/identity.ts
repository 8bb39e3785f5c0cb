import { createHash } from 'node:crypto';
import type { ObjectId } from 'mongodb';
import type { ObjectIdClass } from './object-id.js';

/** Seconds that fit into the first four bytes of an id. */
const LAST_SECOND = 0xffff_ffff;

/** The same id for the same identity: its time, as in any ObjectId, and eight bytes of a hash. */
export function idOfIdentity(ownClass: ObjectIdClass, identity: string, time: Date): ObjectId {
  const seconds = Math.min(Math.max(0, Math.floor(time.getTime() / 1_000)), LAST_SECOND);
  const digest = createHash('sha256').update(identity).digest('hex');
  return new ownClass(seconds.toString(16).padStart(8, '0') + digest.slice(0, 16));
}
