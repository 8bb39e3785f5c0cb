import { createHash } from 'node:crypto';
import type pg from 'pg';
import type { Answer, Query } from '../operation.js';

/** What can send a statement: a pool, or a client of it. */
export interface Sender {
  query(config: pg.QueryArrayConfig<unknown[]>): Promise<pg.QueryArrayResult<unknown[][]>>;
}

/** Every value as the text that the server sent: whatever the user has taught the driver, we read it ourselves. */
const AS_TEXT = {
  getTypeParser: () => (value: unknown) => value,
} as unknown as NonNullable<pg.QueryArrayConfig['types']>;

/**
 * Sends one statement. Only one that has but one good plan is kept prepared: of others a plan that was made for an empty
 * table would be used long after the table has grown.
 *
 * @param prepare - Whether anything may be kept: poolers between us and the server would have to know of it.
 */
export async function send(
  sender: Sender,
  { sql, parameters, isFixed }: Query,
  prepare = false,
): Promise<Answer> {
  const { rows, rowCount } = await sender.query({
    ...(prepare && isFixed === true ? { name: nameOf(sql) } : {}),
    text: sql,
    values: parameters.map(withoutNul),
    rowMode: 'array',
    types: AS_TEXT,
  });
  return { rows, affected: rowCount ?? 0 };
}

const names = new Map<string, string>();

/** The name under which a statement is kept, which no other text shares, be it of another version of this package. */
function nameOf(sql: string): string {
  let name = names.get(sql);
  if (name === undefined) {
    name = `monque_${createHash('sha256').update(sql).digest('hex').slice(0, 16)}`;
    names.set(sql, name);
  }
  return name;
}

/** No text of PostgreSQL may hold this character. Messages of errors may: they come from anywhere. */
function withoutNul(value: unknown): unknown {
  return typeof value === 'string' && value.includes('\0') ? value.replaceAll('\0', '\uFFFD') : value;
}

/** A list as the text of an array. The driver's own way takes several times as long. */
export function toArray(values: readonly (string | number | null)[]): string {
  return `{${values.map(toElement).join(',')}}`;
}

function toElement(value: string | number | null): string | number {
  if (value === null) return 'NULL';
  if (typeof value === 'number') return value;
  // Ids and times have none of these, and are most of what is sent.
  const isSpecial = value.includes('"') || value.includes('\\');
  return isSpecial ? `"${value.replace(SPECIAL, '\\$&')}"` : `"${value}"`;
}

const SPECIAL = /["\\]/g;
