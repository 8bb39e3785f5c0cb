import type { WaitingTexts } from '../claim/waiting-texts.js';
import { ask, type Operation } from '../operation.js';
import { parseTime, toSqliteTime } from '../rows/times.js';
import { HIGHEST_RANK, NEXT_PLAIN, NEXT_RANK, NEXT_RANKED } from './due-statements.js';

/** When the next job of these names becomes due; one key of the index for each priority. Index: IX_Monque_Jobs_Due. */
export function* nextDueAt(
  texts: WaitingTexts,
  names: readonly string[],
  after: Date,
): Operation<Date | undefined> {
  const bound = toSqliteTime(after);
  let earliest: string | undefined;
  const note = function* (sql: string, parameters: readonly unknown[]): Operation<void> {
    const next = (yield* ask({ sql, parameters })).rows[0]?.[0] as string | undefined;
    if (next !== undefined && (earliest === undefined || next < earliest)) earliest = next;
  };
  for (const { text } of yield* texts.of(names)) {
    yield* note(NEXT_PLAIN, [text, bound]);
    let rank = (yield* ask({ sql: HIGHEST_RANK, parameters: [text] })).rows[0]?.[0] as number | undefined;
    while (rank !== undefined) {
      yield* note(NEXT_RANKED, [text, rank, bound]);
      rank = (yield* ask({ sql: NEXT_RANK, parameters: [text, rank] })).rows[0]?.[0] as number | undefined;
    }
  }
  return parseTime(earliest);
}
