import type { Table } from '../schema/tables.js';
import type { Step } from './steps.js';

/**
 * Puts the times of a SQLite table into UTC: there they are texts, and those with another offset, or with the `T` and
 * `Z` of ISO, would be compared wrongly with ours and with `datetime('now')`. They mean the same afterwards, to the last
 * digit of their fraction. A time without an offset is UTC already, and a text that is no time stays as it is.
 */
export function orderTimes(table: Table): Step {
  const times = table.columns.filter(({ kind }) => kind === 'time');
  return { kind: 'rows', table: table.name, statements: times.map(({ name }) => inUtc(table.name, name)) };
}

function inUtc(table: string, name: string): string {
  const column = `"${name}"`;
  const zulu = `${column} LIKE '%Z'`;
  const offset = `(CASE WHEN ${zulu} THEN '+00:00' ELSE substr(${column}, -6) END)`;
  // Offsets are whole minutes: the seconds move, and the fraction behind them stays.
  const seconds = `strftime('%Y-%m-%d %H:%M:%S', substr(${column}, 1, 19) || ${offset})`;
  const fraction = `substr(${column}, 20, length(${column}) - 19 - (CASE WHEN ${zulu} THEN 1 ELSE 6 END))`;
  const otherOffset = `${column} GLOB '????-??-??[ T]??:??:??*[+-][0-9][0-9]:[0-9][0-9]' AND ${column} NOT LIKE '____-__-__ %+00:00'`;
  const iso = `${column} GLOB '????-??-??[ T]??:??:??*Z'`;
  return (
    `UPDATE "${table}" SET ${column} = ${seconds} || ${fraction} || '+00:00' ` +
    `WHERE (${otherOffset} OR ${iso}) AND ${seconds} IS NOT NULL`
  );
}
