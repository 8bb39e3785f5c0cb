import { createHash } from 'node:crypto';

/** What the unique index holds for a job's name and unique key. Names hold no control characters. */
export function keyHash(name: string, uniqueKey: string): string {
  return createHash('sha256').update(`${name}\n${uniqueKey}`).digest('hex');
}
