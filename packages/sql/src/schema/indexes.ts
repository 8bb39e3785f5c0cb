/** The databases for which the schema can be written; stores run on the first three. */
export type SqlDialect = 'sqlite' | 'postgres' | 'mariadb' | 'sqlserver';

/** Writes a name the way a dialect quotes it. */
export type Quote = (name: string) => string;

/** An index that Monque adds to JobSharp's own. */
export interface AddedIndex {
  readonly name: string;
  readonly table: 'Jobs' | 'JobLogs' | 'JobBatches';
  readonly unique: boolean;
  /** The keys in order, as they stand between the parentheses. */
  keys(quote: Quote): readonly string[];
  /** Which rows it holds; absent for all of them. */
  where?(quote: Quote): string;
}

/** A column that the database works out from others, for an index that could not be partial otherwise. */
export interface GeneratedColumn {
  readonly name: string;
  readonly length: number;
  expression(quote: Quote): string;
}

/** States in which a job waits to be claimed, as text for a condition. */
export const CLAIMABLE_STATES = '1, 4';
/** States in which a job occupies its unique key; a query that is to use the index of these keys repeats them so. */
export const ACTIVE_STATES = '1, 2, 4';

/** A time of SQLite in the form in which text order is time order: `2026-11-15 07:51:00.123+00:00`. */
const ORDERED_TIME = '????-??-?? ??:??:??.???+00:00';

/**
 * Jobs of a name that wait, by priority and due time: a claim reads one range of it for each priority, and neither
 * finished jobs nor future ones are in its way.
 */
const due: AddedIndex = {
  name: 'IX_Monque_Jobs_Due',
  table: 'Jobs',
  unique: false,
  keys: (quote) => ['TypeName', 'Priority', 'ScheduledAt'].map(quote),
  where: (quote) => `${quote('State')} IN (${CLAIMABLE_STATES})`,
};

/** At most one waiting or running job per name and unique key; the hash stands for both, as neither fits into a key. */
const activeKey: AddedIndex = {
  name: 'IX_Monque_Jobs_ActiveKey',
  table: 'Jobs',
  unique: true,
  keys: (quote) => [quote('KeyHash')],
  where: (quote) => `${quote('KeyHash')} IS NOT NULL AND ${quote('State')} IN (${ACTIVE_STATES})`,
};

/** The condition of {@link unordered}; a query that is to use the index repeats it word for word. */
export function unorderedTimes(quote: Quote): string {
  const time = quote('ScheduledAt');
  return `${quote('State')} IN (${CLAIMABLE_STATES}) AND (${time} IS NULL OR ${time} NOT GLOB '${ORDERED_TIME}')`;
}

/**
 * Waiting jobs of others whose due time is missing, or a text that does not sort as a time. Claims put such times
 * into order first. Empty, and so nearly free, where only Monque writes.
 */
const unordered: AddedIndex = {
  name: 'IX_Monque_Jobs_Unordered',
  table: 'Jobs',
  unique: false,
  keys: (quote) => [quote('TypeName')],
  where: unorderedTimes,
};

const logsOfJob: AddedIndex = {
  name: 'IX_JobLogs_JobId',
  table: 'JobLogs',
  unique: false,
  keys: (quote) => [quote('JobId')],
};

/** MariaDB and MySQL have no partial indexes: a column that is null for all other rows stands in for the condition. */
export const ACTIVE_KEY_COLUMN: GeneratedColumn = {
  name: 'ActiveKey',
  length: 64,
  expression: (quote) => `CASE WHEN ${quote('State')} IN (${ACTIVE_STATES}) THEN ${quote('KeyHash')} END`,
};

const ADDED: Readonly<Record<SqlDialect, readonly AddedIndex[]>> = {
  sqlite: [due, activeKey, unordered, logsOfJob],
  // Bytes compare faster than the words of a language, and names are equal only where their bytes are.
  postgres: [
    {
      ...due,
      keys: (quote) => [`${quote('TypeName')} COLLATE "C"`, quote('Priority'), quote('ScheduledAt')],
    },
    activeKey,
    logsOfJob,
  ],
  mariadb: [
    {
      name: due.name,
      table: 'Jobs',
      unique: false,
      keys: (quote) => ['State', 'TypeName', 'Priority', 'ScheduledAt'].map(quote),
    },
    { name: activeKey.name, table: 'Jobs', unique: true, keys: (quote) => [quote(ACTIVE_KEY_COLUMN.name)] },
    logsOfJob,
  ],
  sqlserver: [due, activeKey, logsOfJob],
};

/**
 * The indexes that Monque adds. Leases need none: the few processing jobs are found by JobSharp's own `IX_Jobs_State`,
 * and every index more would cost each claim.
 */
export function addedIndexes(dialect: SqlDialect): readonly AddedIndex[] {
  return ADDED[dialect];
}

/**
 * Members of a batch and what follows it, by state, so that they are counted by their keys alone. MariaDB and MySQL have
 * no partial indexes, and do with JobSharp's own `IX_Jobs_BatchId`: a further one would cost every job.
 */
const batchMembers: AddedIndex = {
  name: 'IX_Monque_Jobs_Batch',
  table: 'Jobs',
  unique: false,
  keys: (quote) => ['BatchId', 'State', 'AwaitsBatchId'].map(quote),
  where: (quote) => `${quote('BatchId')} IS NOT NULL`,
};

/** States in which a job waits for others, as text for a condition. */
export const WAITING_STATES = '7, 8';

/**
 * What waits for others, in the order in which the sweep walks over it. A query that is to use it repeats the condition.
 * The state is reckoned with, so that no database takes `IX_Jobs_State` instead, and sorts what it finds. MariaDB does
 * without.
 */
const waiting: AddedIndex = {
  name: 'IX_Monque_Jobs_Waiting',
  table: 'Jobs',
  unique: false,
  keys: (quote) => [quote('Id')],
  where: waitingJobs,
};

/** Its condition, word for word, as databases want it repeated. */
export function waitingJobs(quote: (name: string) => string): string {
  return `${quote('State')} + 0 IN (${WAITING_STATES})`;
}

/** SQL Server's filters compare columns with constants, and reckon with nothing. */
function filteredWaiting(quote: Quote): string {
  return `${quote('State')} IN (${WAITING_STATES})`;
}

const batchesByAge: AddedIndex = {
  name: 'IX_JobBatches_CreatedAt',
  table: 'JobBatches',
  unique: false,
  keys: (quote) => [quote('CreatedAt')],
};

const openBatches: AddedIndex = {
  name: 'IX_JobBatches_FinishedAt',
  table: 'JobBatches',
  unique: false,
  keys: (quote) => [quote('FinishedAt')],
};

/** The indexes that came with workflows. */
export function workflowIndexes(dialect: SqlDialect): readonly AddedIndex[] {
  const always = [batchesByAge, openBatches];
  if (dialect === 'mariadb') return always;
  return [
    batchMembers,
    dialect === 'sqlserver' ? { ...waiting, where: filteredWaiting } : waiting,
    ...always,
  ];
}
