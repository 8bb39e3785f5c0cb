import type { Column } from '../tables.js';
import type { Grammar } from './grammar.js';

/** As EF Core makes tables in SQL Server. No server was at hand: the schema is printed, and never applied by us. */
export const sqlserverGrammar: Grammar = {
  quote: (name) => `[${name}]`,
  type,
  nullable: ' NULL',
  inlineKey: false,
  tableOptions: '',
  addColumn: 'ADD',
  addsTogether: false,
  now: 'SYSDATETIMEOFFSET()',
};

function type({ kind, length }: Column): string {
  switch (kind) {
    case 'text':
    case 'json':
      return `nvarchar(${length ?? 'max'})`;
    case 'integer':
      return 'int';
    case 'duration':
      return 'bigint';
    case 'time':
      return 'datetimeoffset';
    case 'flag':
      return 'bit';
    case 'counter':
      return 'bigint IDENTITY(1, 1)';
  }
}
