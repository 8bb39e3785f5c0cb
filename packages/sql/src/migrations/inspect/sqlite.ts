import { type Kysely, sql } from 'kysely';
import { type Inspector, TABLE_NAMES } from './inspector.js';

interface Row {
  readonly table: string;
  readonly column: string;
  readonly type: string;
  readonly mustBeNamed: number;
}

export const sqliteInspector: Inspector = {
  async inspect<DB>(db: Kysely<DB>) {
    const { rows } = await sql<Row>`
      SELECT t.name AS "table", c.name AS "column", lower(c.type) AS "type",
             c."notnull" AND c.dflt_value IS NULL AND c.pk = 0 AS "mustBeNamed"
      FROM sqlite_master AS t, pragma_table_xinfo(t.name) AS c
      WHERE t.type IN ('table', 'view') AND t.name COLLATE NOCASE IN (${sql.join(TABLE_NAMES)})`.execute(db);
    const indexes = await sql<{ name: string }>`SELECT name FROM sqlite_master WHERE type = 'index'`.execute(
      db,
    );
    return {
      columns: rows.map((row) => ({ ...row, mustBeNamed: row.mustBeNamed === 1 })),
      indexes: indexes.rows.map(({ name }) => name),
      ignoresCase: true,
    };
  },

  /** By SQLite's own rules of affinity: what a column is called decides how it treats its values. */
  fits(kind, type) {
    if (kind === 'text' || kind === 'json' || kind === 'time')
      return /char|clob|text/.test(type) && !/int/.test(type);
    return /int|bool|numeric/.test(type);
  },
};
