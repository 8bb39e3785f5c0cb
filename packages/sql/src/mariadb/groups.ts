import type { Source } from '../claim/waiting-texts.js';
import { ask, type Operation, type Row } from '../operation.js';
import { parseTime, toMariadbTime } from '../rows/times.js';
import type { NameCondition } from './name-condition.js';

/** Waiting jobs of one text, state and priority: a range of IX_Monque_Jobs_Due, in the order of their due times. */
export interface Group {
  readonly source: Source;
  readonly state: number;
  readonly priority: number | null;
  /** When its first job is due; undefined where it has none in question. */
  readonly first: Date | undefined;
  /** Whether it has jobs of others without a due time. */
  readonly isUnordered: boolean;
}

const STATES = [1, 4];
/** Groups that are asked about with one statement. */
const MOST_GROUPS = 50;

type Asked = Pick<Group, 'source' | 'state' | 'priority'>;

/**
 * The groups of waiting jobs. There is no need to read them: the server answers the first and the last key of a range
 * while it plans. One statement is enough where no job has a priority, and one more for each priority that there is.
 *
 * Where the condition is not the index's own, the first that fits is read instead.
 *
 * @param after - Only times later than this are in question.
 */
export function* groupsOf(
  sources: readonly Source[],
  named: NameCondition,
  after?: Date,
): Operation<Group[]> {
  const groups: Group[] = [];
  let asked: Asked[] = sources.flatMap((source) =>
    STATES.map((state) => ({ source, state, priority: null })),
  );
  while (asked.length > 0) {
    const lower: Asked[] = [];
    for (let start = 0; start < asked.length; start += MOST_GROUPS) {
      const part = asked.slice(start, start + MOST_GROUPS);
      for (const row of yield* probe(part, named, after)) {
        const of = part[Number(row[0])];
        if (of === undefined) continue;
        groups.push({ ...of, first: parseTime(row[1]), isUnordered: row[3] !== null });
        if (row[2] !== null) lower.push({ ...of, priority: Number(row[2]) });
      }
    }
    asked = lower;
  }
  return groups;
}

/** For each group: its place, its first due time, the next lower priority, and whether a due time is missing. */
function* probe(
  groups: readonly Asked[],
  named: NameCondition,
  after: Date | undefined,
): Operation<readonly Row[]> {
  const parameters: (string | number)[] = [];
  const parts = groups.map(({ source, state, priority }, place) => {
    const range = `FROM \`Jobs\` FORCE INDEX (\`IX_Monque_Jobs_Due\`) WHERE \`State\` = ? AND ${named.sql}`;
    const bind = (...values: (string | number)[]) =>
      parameters.push(state, ...named.values(source.text), ...values);
    const bound = after === undefined ? '' : ' AND `ScheduledAt` > ?';
    const own = priority === null ? '`Priority` IS NULL' : '`Priority` = ?';
    const times = [
      ...(priority === null ? [] : [priority]),
      ...(after === undefined ? [] : [toMariadbTime(after)]),
    ];
    bind(...times);
    const first = named.isPlain
      ? `(SELECT CAST(MIN(\`ScheduledAt\`) AS CHAR) ${range} AND ${own}${bound})`
      : `(SELECT CAST(\`ScheduledAt\` AS CHAR) ${range} AND ${own}${bound || ' AND `ScheduledAt` IS NOT NULL'}
          ORDER BY \`ScheduledAt\` LIMIT 1)`;
    bind(...(priority === null ? [] : [priority]));
    const below = priority === null ? '' : ' AND `Priority` < ?';
    const lower = named.isPlain
      ? `(SELECT MAX(\`Priority\`) ${range}${below})`
      : `(SELECT \`Priority\` ${range}${below} ORDER BY \`Priority\` DESC LIMIT 1)`;
    if (priority !== null) return `SELECT ${place}, ${first}, ${lower}, NULL`;
    bind();
    const unordered = `(SELECT 1 ${range} AND \`Priority\` IS NULL AND \`ScheduledAt\` IS NULL LIMIT 1)`;
    return `SELECT ${place}, ${first}, ${lower}, ${unordered}`;
  });
  return (yield* ask({ sql: parts.join(' UNION ALL '), parameters })).rows;
}
