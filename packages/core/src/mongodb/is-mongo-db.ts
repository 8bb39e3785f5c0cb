import type { Db } from 'mongodb';

/** Whether a value is a mongodb `Db`. Judged by its shape: a process may hold several copies of the driver. */
export function isMongoDb(value: unknown): value is Db {
  if (typeof value !== 'object' || value === null) return false;
  const { databaseName, collection, command } = value as Partial<Record<keyof Db, unknown>>;
  return (
    typeof databaseName === 'string' && typeof collection === 'function' && typeof command === 'function'
  );
}
