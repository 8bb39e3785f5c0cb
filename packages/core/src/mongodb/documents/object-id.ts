import type { Db, Document, ObjectId } from 'mongodb';

/** The class of the ids. */
export type ObjectIdClass = typeof ObjectId;

/** The parts of the driver that a store needs beside its `Db`. */
export interface DriverClasses {
  readonly ObjectId: ObjectIdClass;
  /** Undefined where the driver cannot be imported from here; then sizes are estimated. */
  readonly calculateObjectSize:
    | ((document: Document, options: { ignoreUndefined: boolean }) => number)
    | undefined;
}

/**
 * Finds the classes of the driver that the `Db` belongs to. A process may hold several copies of `mongodb`, and one
 * refuses the ids of another: so the class is taken from an id that this very driver has just decoded.
 */
export async function findDriverClasses(db: Db): Promise<DriverClasses> {
  const hello = await db.command({ hello: 1 }, { readPreference: 'primary' });
  const decoded: unknown = hello.topologyVersion?.processId;
  const imported = await import('mongodb').catch(() => undefined);
  const ownClass = isObjectId(decoded) ? (decoded.constructor as ObjectIdClass) : imported?.ObjectId;
  if (ownClass === undefined) {
    throw new Error('The class ObjectId cannot be found. Install the package mongodb beside @monque/core');
  }
  return { ObjectId: ownClass, calculateObjectSize: imported?.BSON.calculateObjectSize };
}

/**
 * An id from what a caller gave: an ObjectId of any copy of the driver, or 24 hexadecimal digits. Always a new one, of
 * this driver's class: what only says of itself that it is an id must not reach a query.
 */
export function parseObjectId(value: unknown, ownClass: ObjectIdClass): ObjectId | undefined {
  const text = typeof value === 'string' ? value : hexOf(value);
  return typeof text === 'string' && /^[0-9a-f]{24}$/i.test(text) ? new ownClass(text) : undefined;
}

function isObjectId(value: unknown): value is ObjectId {
  return (
    typeof value === 'object' && value !== null && '_bsontype' in value && value._bsontype === 'ObjectId'
  );
}

/** It may lie, or refuse to be asked. */
function hexOf(value: unknown): unknown {
  try {
    return isObjectId(value) ? value.toHexString() : undefined;
  } catch {
    return undefined;
  }
}
