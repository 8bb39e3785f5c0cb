import { ask, type Operation } from '../operation.js';

/** The condition that a job has a certain type name. */
export interface NameCondition {
  readonly sql: string;
  /** The values of its places. */
  values(text: string): readonly string[];
  /** Whether it is the index's own, so that the ends of a range answer without reading. */
  readonly isPlain: boolean;
}

/** Collations that tell all texts apart: by their bytes, and with the blanks at their end. */
const BY_BYTES = /_(nopad|0900)_bin$/;

const COLLATION = `SELECT collation_name FROM information_schema.columns
WHERE table_schema = DATABASE() AND table_name = 'Jobs' AND column_name = 'TypeName'`;

const PLAIN: NameCondition = { sql: '`TypeName` = ?', values: (text) => [text], isPlain: true };

/** The name as bytes, whatever the charset of the column is. */
export const BYTES = 'CAST(CONVERT(`TypeName` USING utf8mb4) AS BINARY)';

/** The first half finds the range of the index, the second leaves out what the collation takes for the same. */
const EXACT: NameCondition = {
  sql: `\`TypeName\` = ? AND ${BYTES} = CONVERT(? USING utf8mb4)`,
  values: (text) => [text, text],
  isPlain: false,
};

/**
 * In tables that others made, names may be equal that differ in case, in accents or in blanks at their end. A job that
 * was claimed under another name than its own would find no worker, and be recovered and claimed again for ever.
 */
export function* nameCondition(): Operation<NameCondition> {
  const { rows } = yield* ask({ sql: COLLATION, parameters: [] });
  // More than one where another table differs from ours in case only.
  return rows.every(([collation]) => BY_BYTES.test(String(collation))) ? PLAIN : EXACT;
}
