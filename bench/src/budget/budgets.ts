import type { Counter } from './counts.js';
import type { OperationKind } from './operation-kind.js';

/** What something may cost. */
export interface Budget {
  /** What it usually costs; to be brought up to date when that changes on purpose. */
  readonly measured: number;
  /** What it may cost at most. */
  readonly most: number;
  /** Less than this means that not everything was counted. */
  readonly least?: number;
}

type KindBudgets = Partial<Record<Counter, Budget>>;
type WorkloadBudgets = Partial<Record<OperationKind | 'all', KindBudgets>>;

/**
 * By workload, kind of operation and counter, per unit of the workload.
 *
 * What varies without a change of code:
 * - Sizes of batches. How many jobs a claim takes, and how many outcomes one write carries, depends on how process and
 *   server take turns. Hence about twice the usual number of commands; one command per job would be a hundred times.
 * - Outcomes that share one statement are those of runs that began within a few milliseconds. A slow machine spreads
 *   them, so these get five times.
 * - Claims that waited too long for a slot, because the process was held up, go back and are taken again. Hence 10 %
 *   on what a claim and its end read and write.
 *
 * What is read by the stream of changes has no budget: it passes over whatever anybody writes to the server.
 *
 * What does not vary, and has no margin: the index keys of an insert, and the commands of a poll up to the rounding.
 */
export const BUDGETS: Readonly<Record<string, WorkloadBudgets>> = {
  'enqueue-single': {
    enqueue: inserting({ measured: 1_000, most: 1_000 }),
  },
  // Callers stay together: all of one insert go on at the same moment. One split is allowed for.
  'enqueue-in-flight': {
    enqueue: inserting({ measured: 20, most: 40 }),
  },
  'enqueue-many': {
    enqueue: inserting({ measured: 1, most: 1 }),
  },
  processing: {
    claim: claiming({ measured: 8, most: 15 }),
    settle: settling({ measured: 4, most: 20 }),
    'follow-up': following({ measured: 3, most: 7 }),
    all: { commands: { measured: 15, most: 31 } },
  },
  // Fewer jobs, so the last looks, which find nothing, weigh more. Each outcome has a value of its own, and so a
  // statement; those on their way when the warm-up ends count as part of it.
  'processing-results': {
    claim: claiming({ measured: 10, most: 25 }),
    settle: settling({ measured: 800, most: 1_100 }),
    'follow-up': following({ measured: 3, most: 7 }),
    all: { commands: { measured: 16, most: 36 } },
  },
  // Each of its wake-ups (stored here, seen in the stream, slot free, outcome stored) makes the worker look again, unless
  // it comes while a look is under way.
  'one-at-a-time': {
    enqueue: inserting({ measured: 1_000, most: 1_000 }),
    claim: {
      commands: { measured: 7_000, most: 10_000 },
      documentsExamined: { measured: 1_400, most: 2_200 },
      keysExamined: { measured: 1_400, most: 2_200 },
    },
    settle: { commands: { measured: 1_000, most: 1_000 } },
    'follow-up': following({ measured: 1_000, most: 1_000 }),
    all: { commands: { measured: 11_000, most: 14_500 } },
  },
  // Two looks, with and without priority, each for what is due now and for what is due next. Beside them, templates are
  // looked at with one command once per poll interval: up to four times while the four of a slow poll are under way.
  idle: {
    recurring: { commands: { measured: 1.5, most: 4.5, least: 0.2 } },
    claim: {
      commands: { measured: 4, most: 4.5 },
      documentsExamined: { measured: 1, most: 2 },
      keysExamined: { measured: 2, most: 5 },
    },
  },
  // One key per name for each of the two looks that meet jobs.
  'idle-200-names': {
    recurring: { commands: { measured: 1.5, most: 4.5, least: 0.2 } },
    claim: {
      commands: { measured: 4, most: 4.5 },
      documentsExamined: { measured: 1, most: 2 },
      keysExamined: { measured: 392, most: 450 },
    },
  },
};

function inserting(commands: Budget): KindBudgets {
  return {
    commands,
    documentsExamined: { measured: 0, most: 0 },
    documentsWritten: { measured: 1_000, most: 1_000, least: 1_000 },
    keysWritten: { measured: 7_000, most: 7_000 },
  };
}

/** A job is read once when it is found and once when it is taken. */
function claiming(commands: Budget): KindBudgets {
  return {
    commands,
    documentsExamined: { measured: 2_003, most: 2_200 },
    keysExamined: { measured: 2_006, most: 2_250 },
    documentsWritten: { measured: 1_000, most: 1_100, least: 1_000 },
    keysWritten: { measured: 9_000, most: 9_900 },
  };
}

function settling(statements: Budget): KindBudgets {
  return {
    commands: { measured: 3, most: 6 },
    statements,
    documentsExamined: { measured: 1_000, most: 1_100 },
    keysExamined: { measured: 1_004, most: 1_150 },
    documentsWritten: { measured: 1_000, most: 1_100, least: 1_000 },
    keysWritten: { measured: 7_000, most: 7_700 },
  };
}

/** One look per write of outcomes, into an index that is empty where no job follows another. */
function following(commands: Budget): KindBudgets {
  return {
    commands,
    documentsExamined: { measured: 0, most: 0 },
    keysExamined: { measured: 0, most: commands.most },
    documentsWritten: { measured: 0, most: 0 },
  };
}
