import type { Connection, Pool, QueryOptions } from 'mysql2/promise';
import type { Answer, Query } from '../operation.js';

/** What can send a statement: a pool, or a connection. */
export type Sender = Pick<Connection | Pool, 'query'>;

/** Sends one statement. Whatever the user's settings are: rows are arrays, and values stand for question marks. */
export async function send(sender: Sender, { sql, parameters }: Query): Promise<Answer> {
  const options: QueryOptions = { sql, values: [...parameters], rowsAsArray: true, typeCast: true };
  const [result] = await sender.query(options);
  if (Array.isArray(result)) return { rows: result as unknown as Answer['rows'], affected: 0 };
  return { rows: [], affected: (result as { affectedRows: number }).affectedRows };
}
