import type { LedgerLine } from '../fixtures/ledger-file.js';
import type { Work } from './producer.js';

/** A job as the database holds it in the end. */
export interface StoredOutcome {
  readonly id: string;
  readonly status: string;
  readonly failCount: number;
  /** The run whose result is stored. */
  readonly run: string | undefined;
}

/** All that is known when everything is over. */
export interface History {
  /** Ids that a producer was given, and what those jobs carry. */
  readonly acknowledged: ReadonlyMap<string, Work>;
  readonly stored: readonly StoredOutcome[];
  readonly ledger: readonly LedgerLine[];
  /** Processes that may have lost their claims. */
  readonly harmed: ReadonlySet<string>;
}

/** What the history comes to. The lists name what must not be. */
export interface Verdict {
  readonly acknowledged: number;
  readonly runs: number;
  /** Runs of an attempt that had begun before, in a process that was harmed. */
  readonly repeated: number;
  /** Acknowledged jobs that have not ended as they should. */
  readonly lost: readonly string[];
  /** Attempts that began again although nothing had happened to their process. */
  readonly unexplained: readonly string[];
  /** Outcomes that counted although their run had lost its claim, or that were told without being stored. */
  readonly unearned: readonly string[];
  /** Runs that began before their time. */
  readonly early: readonly string[];
}

/** How far two clocks of one machine may be apart, in milliseconds. */
const CLOCK_TOLERANCE_MS = 20;

/** Judges a history by what Monque promises: nothing lost, one owner, nothing early. */
export function judge(history: History): Verdict {
  const begins = history.ledger.filter(({ type }) => type === 'begin');
  const attempts = groupBy(begins, ({ job, attempt }) => `${job} attempt ${attempt}`);
  const repeated = [...attempts].filter(([, runs]) => runs.length > 1);
  return {
    acknowledged: history.acknowledged.size,
    runs: begins.length,
    repeated: repeated.reduce((sum, [, runs]) => sum + runs.length - 1, 0),
    lost: lostJobs(history),
    unexplained: repeated.flatMap(([attempt, runs]) => unexplained(attempt, runs, history.harmed)),
    unearned: unearnedOutcomes(history),
    early: begins.filter(isEarly).map(({ job, by }) => `${job} in ${by}`),
  };
}

/** Whatever the handlers were asked to do, in the end all of them succeed. */
function lostJobs({ acknowledged, stored }: History): string[] {
  const byId = new Map(stored.map((one) => [one.id, one]));
  const missing = [...acknowledged].flatMap(([id, { fails }]) => {
    const one = byId.get(id);
    if (one === undefined) return [`${id} is not stored`];
    // A failure that counted twice, or not at all, was written under a claim that did not hold.
    const isAsAsked = one.status === 'completed' && one.failCount === fails;
    return isAsAsked ? [] : [`${id} is ${one.status} after ${one.failCount} failures, not ${fails}`];
  });
  // Also those whose producer was told of an error: what is stored must end.
  const unfinished = stored.filter(({ id, status }) => status !== 'completed' && !acknowledged.has(id));
  return [...missing, ...unfinished.map(({ id, status }) => `${id} is ${status}`)];
}

/** Of several runs of an attempt the last may be anyone's; those before it must have been cut off from their claims. */
function unexplained(attempt: string, runs: readonly LedgerLine[], harmed: ReadonlySet<string>): string[] {
  const inOrder = runs.toSorted((one, other) => one.at - other.at);
  const given = inOrder.slice(0, -1).filter(({ by }) => !harmed.has(by));
  return given.length === 0 ? [] : [`${attempt} in ${inOrder.map(({ by }) => by).join(', then ')}`];
}

function unearnedOutcomes({ stored, ledger }: History): string[] {
  const runOf = new Map(stored.map(({ id, run }) => [id, run]));
  const runsThat = (type: LedgerLine['type']) =>
    new Set(ledger.flatMap((line) => (line.type === type ? [line.run] : [])));
  const ended = runsThat('end');
  const completions = ledger.filter(({ type }) => type === 'complete');
  return [
    ...stored.flatMap(({ id, run }) =>
      run === undefined || ended.has(run) ? [] : [`${id} has the result of ${run}, which did not end`],
    ),
    ...completions.flatMap(({ job = '', run, by }) =>
      // One that is no longer stored was deleted, after it had ended.
      !runOf.has(job) || runOf.get(job) === run
        ? []
        : [`${by} told of ${job} by ${run}, which is not what is stored`],
    ),
    ...[...groupBy(completions, ({ job = '' }) => job)].flatMap(([job, told]) =>
      told.length > 1 ? [`${job} was told of ${told.length} times`] : [],
    ),
  ];
}

function isEarly({ at, due = 0 }: LedgerLine): boolean {
  return at < due - CLOCK_TOLERANCE_MS;
}

function groupBy(
  lines: readonly LedgerLine[],
  keyOf: (line: LedgerLine) => string,
): Map<string, LedgerLine[]> {
  const groups = new Map<string, LedgerLine[]>();
  for (const line of lines) {
    const key = keyOf(line);
    const group = groups.get(key);
    if (group === undefined) groups.set(key, [line]);
    else group.push(line);
  }
  return groups;
}
