import { RunAbortedError } from '../../errors/operation-errors.js';
import { memberOf } from '../../job/member-of.js';
import type { HeldClaim, LostClaim } from '../../store/claim-types.js';
import type { Run } from './run.js';

const ABORT_TEXTS = {
  taken:
    'The claim on this job was lost: this process was silent for longer than lockTimeout, and another one has it now',
  cancelled: 'The job was cancelled',
  deleted: 'The job was deleted',
} as const;

/**
 * Every claim that this process holds, from the moment it arrives until its outcome is stored. Heartbeats
 * cover all of them: also those that wait for a slot, and those whose outcome is still on its way.
 */
export class HeldRuns {
  readonly #byKey = new Map<string, Run>();
  /** How many members of each batch are among them. */
  readonly #members = new Map<string, number>();

  get size(): number {
    return this.#byKey.size;
  }

  /** A job that comes back to this process under a new claim was lost under the old one. */
  add(run: Run): void {
    const older = this.#byKey.get(run.key);
    if (older !== undefined) this.lose([{ ...older.claim, reason: 'taken' }]);
    this.#byKey.set(run.key, run);
    if (older === undefined) this.#countMember(run, 1);
  }

  /** Forgets a run; a later claim of the same job is not touched. */
  remove(run: Run): void {
    if (this.#byKey.get(run.key) !== run) return;
    this.#byKey.delete(run.key);
    this.#countMember(run, -1);
  }

  has(id: unknown): boolean {
    return this.#byKey.has(String(id));
  }

  /** Whether a member of this batch is among them. */
  holdsMember(batchId: string): boolean {
    return this.#members.has(batchId);
  }

  claims(): HeldClaim[] {
    return Array.from(this.#byKey.values(), (run) => run.claim);
  }

  /** Aborts the runs behind claims that no longer hold. */
  lose(lost: readonly LostClaim[]): void {
    for (const { id, token, reason } of lost) {
      const run = this.#byKey.get(String(id));
      if (run?.token === token) run.end(new RunAbortedError(ABORT_TEXTS[reason], reason));
    }
  }

  /** Aborts the run of a job that this very process has just cancelled or deleted. */
  stop(id: unknown, reason: 'cancelled' | 'deleted'): void {
    this.#byKey.get(String(id))?.end(new RunAbortedError(ABORT_TEXTS[reason], reason));
  }

  #countMember({ job }: Run, by: 1 | -1): void {
    const batchId = memberOf(job);
    if (batchId === undefined) return;
    const count = (this.#members.get(batchId) ?? 0) + by;
    if (count > 0) this.#members.set(batchId, count);
    else this.#members.delete(batchId);
  }
}
