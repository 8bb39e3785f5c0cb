import type { Column } from '../tables.js';
import type { Grammar } from './grammar.js';

/** Texts are equal when they are the same to the last blank, as everywhere else. */
export const mariadbGrammar: Grammar = grammar('utf8mb4_nopad_bin');

/** MySQL has the same collation under another name. */
export const mysqlGrammar: Grammar = grammar('utf8mb4_0900_bin');

function grammar(collation: string): Grammar {
  return {
    quote: (name) => `\`${name}\``,
    type,
    nullable: ' NULL',
    inlineKey: false,
    tableOptions: ` ENGINE=InnoDB DEFAULT CHARACTER SET utf8mb4 COLLATE ${collation}`,
    addColumn: 'ADD COLUMN',
    addsTogether: true,
    now: 'UTC_TIMESTAMP(6)',
  };
}

function type({ kind, length }: Column): string {
  switch (kind) {
    case 'text':
      return length === undefined ? 'longtext' : `varchar(${length})`;
    case 'json':
      return 'longtext';
    case 'integer':
      return 'int';
    case 'duration':
      return 'bigint';
    case 'time':
      return 'datetime(6)';
    case 'flag':
      return 'tinyint(1)';
    case 'counter':
      return 'bigint AUTO_INCREMENT';
  }
}
