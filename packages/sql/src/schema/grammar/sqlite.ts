import type { Grammar } from './grammar.js';

/** As EF Core makes tables in SQLite: texts and whole numbers only. */
export const sqliteGrammar: Grammar = {
  quote: (name) => `"${name}"`,
  type: ({ kind }) => (kind === 'text' || kind === 'json' || kind === 'time' ? 'TEXT' : 'INTEGER'),
  nullable: '',
  inlineKey: true,
  tableOptions: '',
  addColumn: 'ADD COLUMN',
  addsTogether: false,
  now: `strftime('%Y-%m-%d %H:%M:%f', 'now') || '+00:00'`,
};
