/** What is counted of the operations of one kind. */
export interface Counts {
  /** Commands sent, whatever they carry. */
  readonly commands: number;
  /** Updates and deletes within those commands; any other command is one. */
  readonly statements: number;
  /** Documents that the server read. */
  readonly documentsExamined: number;
  /** Index keys that the server read. */
  readonly keysExamined: number;
  /** Documents that were stored or changed. */
  readonly documentsWritten: number;
  /** Index keys that were stored or removed. */
  readonly keysWritten: number;
}

export type Counter = keyof Counts;

const NONE: Counts = {
  commands: 0,
  statements: 0,
  documentsExamined: 0,
  keysExamined: 0,
  documentsWritten: 0,
  keysWritten: 0,
};

/** Adds up; what is absent counts as none. */
export function sumCounts(parts: Iterable<Partial<Counts>>): Counts {
  const sum: Record<Counter, number> = { ...NONE };
  for (const part of parts) for (const counter of countersOf(sum)) sum[counter] += part[counter] ?? 0;
  return sum;
}

function countersOf(counts: Counts): Counter[] {
  return Object.keys(counts) as Counter[];
}
