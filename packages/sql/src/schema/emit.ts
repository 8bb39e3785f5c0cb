import type { Tables } from './columns.js';
import type { SchemaDialect } from './dialect.js';
import type { Grammar } from './grammar/grammar.js';
import { mariadbGrammar, mysqlGrammar } from './grammar/mariadb.js';
import { postgresGrammar } from './grammar/postgres.js';
import { sqliteGrammar } from './grammar/sqlite.js';
import { sqlserverGrammar } from './grammar/sqlserver.js';
import type { GeneratedColumn } from './indexes.js';
import type { Index } from './seed-indexes.js';
import type { Column, Table } from './tables.js';

const GRAMMARS: Readonly<Record<SchemaDialect, Grammar>> = {
  sqlite: sqliteGrammar,
  postgres: postgresGrammar,
  mariadb: mariadbGrammar,
  mysql: mysqlGrammar,
  sqlserver: sqlserverGrammar,
};

/** Writes statements about the schema in one dialect, without the semicolon at their end. */
export class Emitter {
  readonly #grammar: Grammar;

  constructor(dialect: SchemaDialect) {
    this.#grammar = GRAMMARS[dialect];
  }

  /** @param parentCollation - Of the parent's key, where that is not the one of new tables. */
  createTable(table: Table, parentCollation?: string): string {
    const { quote, tableOptions } = this.#grammar;
    const columns = table.columns.map((column) => this.#column(column, table, parentCollation));
    const parts = [...columns, ...this.#constraints(table)];
    return `CREATE TABLE ${quote(table.name)} (\n    ${parts.join(',\n    ')}\n)${tableOptions}`;
  }

  /** One statement for all of them where the dialect has one: each may rewrite the table's description. */
  addColumns(table: keyof Tables, columns: readonly Column[]): string[] {
    const { quote, addColumn, addsTogether } = this.#grammar;
    const additions = columns.map((column) => `${addColumn} ${this.#column(column)}`);
    const alter = `ALTER TABLE ${quote(table)}`;
    if (addsTogether) return [`${alter}\n    ${additions.join(',\n    ')}`];
    return additions.map((addition) => `${alter} ${addition}`);
  }

  addGeneratedColumn(table: keyof Tables, { name, length, expression }: GeneratedColumn): string {
    const { quote, type } = this.#grammar;
    const kind = type({ name, kind: 'text', length, nullable: true });
    return `ALTER TABLE ${quote(table)} ADD COLUMN ${quote(name)} ${kind} GENERATED ALWAYS AS (${expression(quote)}) VIRTUAL`;
  }

  createIndex(index: Index): string {
    const { quote } = this.#grammar;
    const kind = index.unique ? 'UNIQUE INDEX' : 'INDEX';
    const rows = index.where ? ` WHERE ${index.where(quote)}` : '';
    return `CREATE ${kind} ${quote(index.name)} ON ${quote(index.table)} (${index.keys(quote).join(', ')})${rows}`;
  }

  recordMigration(version: number, name: string): string {
    const { quote, now } = this.#grammar;
    const columns = ['Version', 'Name', 'AppliedAt'].map(quote).join(', ');
    return `INSERT INTO ${quote('MonqueMigrations')} (${columns}) VALUES (${version}, '${name}', ${now})`;
  }

  #column(column: Column, table?: Table, parentCollation?: string): string {
    const { quote, type, nullable, inlineKey } = this.#grammar;
    const collation =
      parentCollation && column.name === table?.parent?.column ? ` COLLATE ${parentCollation}` : '';
    const presence = column.nullable ? nullable : ' NOT NULL';
    const key = inlineKey && column.name === table?.primaryKey ? ` ${this.#key(table)}` : '';
    // SQLite's word for a counter is part of its key.
    const counter = key !== '' && column.kind === 'counter' ? ' AUTOINCREMENT' : '';
    return `${quote(column.name)} ${type(column)}${collation}${presence}${key}${counter}`;
  }

  #key(table: Table): string {
    return `CONSTRAINT ${this.#grammar.quote(`PK_${table.name}`)} PRIMARY KEY`;
  }

  #constraints(table: Table): string[] {
    const { quote, inlineKey } = this.#grammar;
    const { primaryKey, parent } = table;
    const constraints = inlineKey ? [] : [`${this.#key(table)} (${quote(primaryKey)})`];
    if (parent) {
      const name = quote(`FK_${table.name}_${parent.table}_${parent.column}`);
      const reference = `REFERENCES ${quote(parent.table)} (${quote('Id')}) ON DELETE CASCADE`;
      constraints.push(`CONSTRAINT ${name} FOREIGN KEY (${quote(parent.column)}) ${reference}`);
    }
    return constraints;
  }
}
