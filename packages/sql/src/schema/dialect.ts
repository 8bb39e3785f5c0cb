import type { SqlDialect } from './indexes.js';

/** MySQL speaks MariaDB's dialect, but for the name of a collation. */
export type SchemaDialect = SqlDialect | 'mysql';

/** The dialect of which it is a variant. */
export function familyOf(dialect: SchemaDialect): SqlDialect {
  return dialect === 'mysql' ? 'mariadb' : dialect;
}
