import { type Kysely, sql } from 'kysely';
import type { ColumnKind } from '../../schema/tables.js';
import { type Inspector, TABLE_NAMES } from './inspector.js';

const TEXTS = ['varchar', 'char', 'text', 'mediumtext', 'longtext', 'json'];
const INTEGERS = ['int', 'bigint', 'mediumint', 'smallint', 'tinyint'];

const TYPES: Readonly<Record<ColumnKind, readonly string[]>> = {
  text: TEXTS,
  json: TEXTS,
  integer: INTEGERS,
  duration: ['bigint', 'int', 'double'],
  // A timestamp would shift with the session's time zone.
  time: ['datetime'],
  flag: ['tinyint', 'bit'],
  counter: ['bigint', 'int'],
};

interface Row {
  readonly table: string;
  readonly column: string;
  readonly type: string;
  readonly collation: string | null;
  readonly mustBeNamed: number;
}

/** MariaDB and MySQL. */
export function mariadbInspector(collation: string): Inspector {
  return {
    async inspect<DB>(db: Kysely<DB>) {
      // The server compares these names without their case, though tables may differ in nothing else.
      const ours = sql`table_schema = DATABASE() AND (
        CAST(table_name AS BINARY) IN (${sql.join(TABLE_NAMES)})
        OR (@@lower_case_table_names > 0 AND table_name IN (${sql.join(TABLE_NAMES)})))`;
      const columns = await sql<Row>`
        SELECT table_name AS \`table\`, column_name AS \`column\`, LOWER(data_type) AS \`type\`,
               collation_name AS \`collation\`,
               is_nullable = 'NO' AND column_default IS NULL AND extra NOT LIKE '%auto_increment%'
                 AND extra NOT LIKE '%GENERATED%' AS \`mustBeNamed\`
        FROM information_schema.columns WHERE ${ours}`.execute(db);
      const indexes = await sql<{ name: string }>`
        SELECT DISTINCT index_name AS name FROM information_schema.statistics WHERE ${ours}`.execute(db);
      return {
        columns: columns.rows.map(({ collation: own, mustBeNamed, ...row }) => ({
          ...row,
          mustBeNamed: Number(mustBeNamed) === 1,
          ...(own !== null && { collation: own }),
        })),
        indexes: indexes.rows.map(({ name }) => name),
        ignoresCase: true,
        collation,
      };
    },

    fits: (kind, type) => TYPES[kind].includes(type),
  };
}
