/** What decides which of two due jobs goes first. */
interface Urgent {
  readonly priority?: number | null;
  readonly nextRunAt: Date;
}

/** Higher priority first, then the one that is due for longer; 0 where that does not decide. */
export function compareUrgency(one: Urgent, other: Urgent): number {
  return (other.priority ?? 0) - (one.priority ?? 0) || one.nextRunAt.getTime() - other.nextRunAt.getTime();
}
