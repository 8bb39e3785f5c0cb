import type { NextText } from '../claim/waiting-texts.js';
import { BYTES } from './name-condition.js';

/**
 * A state at a time: only then does the index have the texts in order, and the first of them ends the search. Its own
 * condition finds the range, the one on bytes leaves out what only the collation takes for the same.
 */
const first = (state: number) => `(SELECT \`TypeName\` FROM \`Jobs\` FORCE INDEX (\`IX_Monque_Jobs_Due\`)
  WHERE \`State\` = ${state} AND \`TypeName\` > ? AND \`TypeName\` LIKE ? ESCAPE '|'
    AND ${BYTES} LIKE CONVERT(? USING utf8mb4) ESCAPE '|'
  ORDER BY \`TypeName\` LIMIT 1)`;

const NEXT_TEXT = `SELECT MIN(\`TypeName\`) FROM (${first(1)} UNION ALL ${first(4)}) AS \`Texts\``;

/**
 * By what they begin with, since there is no text of which it is known that it comes behind them: each collation has an
 * order of its own. Of two texts that are the same to it, the second is found once no job waits under the first. Index:
 * IX_Monque_Jobs_Due.
 */
export const nextText: NextText = (prefix, after) => {
  const like = `${prefix.replace(/[|%_]/g, '|$&')}%`;
  return { sql: NEXT_TEXT, parameters: [after, like, like, after, like, like] };
};
