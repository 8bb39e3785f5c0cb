import { type Kysely, sql } from 'kysely';
import type { ColumnKind } from '../../schema/tables.js';
import type { FoundColumn } from './found-schema.js';
import { type Inspector, TABLE_NAMES } from './inspector.js';

const TYPES: Readonly<Record<ColumnKind, readonly string[]>> = {
  text: ['character varying', 'text', 'character'],
  json: ['character varying', 'text'],
  integer: ['integer', 'bigint', 'smallint'],
  duration: ['double precision', 'bigint', 'integer'],
  time: ['timestamp with time zone'],
  flag: ['boolean'],
  counter: ['bigint', 'integer'],
};

/** Names are looked up on the search path, as the statements of the store do. */
export const postgresInspector: Inspector = {
  async inspect<DB>(db: Kysely<DB>) {
    const tables = sql`
      SELECT name, to_regclass(quote_ident(name)) AS oid
      FROM unnest(ARRAY[${sql.join(TABLE_NAMES)}]::text[]) AS name
      WHERE to_regclass(quote_ident(name)) IS NOT NULL`;
    const columns = await sql<FoundColumn>`
      SELECT t.name AS "table", c.attname::text AS "column", format_type(c.atttypid, NULL) AS "type",
             c.attnotnull AND NOT c.atthasdef AND c.attidentity = '' AS "mustBeNamed"
      FROM (${tables}) AS t JOIN pg_attribute AS c ON c.attrelid = t.oid
      WHERE c.attnum > 0 AND NOT c.attisdropped`.execute(db);
    const indexes = await sql<{ name: string }>`
      SELECT i.relname::text AS name
      FROM (${tables}) AS t JOIN pg_index AS x ON x.indrelid = t.oid JOIN pg_class AS i ON i.oid = x.indexrelid`.execute(
      db,
    );
    return { columns: columns.rows, indexes: indexes.rows.map(({ name }) => name), ignoresCase: false };
  },

  fits: (kind, type) => TYPES[kind].includes(type),
};
