import { InvalidOptionError } from '../../errors/input-errors.js';
import type { JobContext } from '../../job/handler.js';
import { toError } from '../../job/thrown.js';
import { validateSchema } from '../../job/validate-schema.js';
import type { StoredJob } from '../../store/query-types.js';
import type { EngineParts } from '../engine-types.js';
import { type Followed, readFollowed } from './read-followed.js';
import type { Run } from './run.js';

/** A run with all that its handler needs. */
export interface Prepared {
  readonly job: StoredJob;
  readonly context: JobContext<unknown>;
  /** Longest time that the handler may take, in milliseconds. */
  readonly timeout: number | undefined;
}

/** Checks the payload once more, since any tool may have written it, and builds the handler's arguments. */
export async function prepare(run: Run, parts: EngineParts): Promise<Prepared> {
  const { job, worker } = run;
  const schema = worker.definition?.schema;
  const data = schema === undefined ? job.data : await validateSchema(schema, job.data);
  return {
    // A copy: a handler that changes its job changes nothing that the engine relies on.
    job: { ...job, data },
    context: contextOf(run, await readFollowed(run, parts), parts),
    timeout: job.timeout ?? worker.definition?.timeout ?? worker.options.timeout,
  };
}

function contextOf(run: Run, followed: Followed, parts: EngineParts): JobContext<unknown> {
  const { store, clock, emit } = parts;
  const report = (thrown: unknown): void => emit('job:error', { error: toError(thrown), job: run.job });
  /** Handlers need not await these: whatever goes wrong is an event, and never an unhandled rejection. */
  const reported = (work: Promise<void>): Promise<void> => {
    work.catch(report);
    return work;
  };
  const saveProgress = async (percent: number, message: string | undefined): Promise<void> => {
    const progress = checkProgress(percent, message);
    await store.saveProgress(run.claim, { ...progress, at: clock.now() }).catch(report);
  };
  const addLog = async (text: string): Promise<void> => {
    const entry = {
      jobId: run.id,
      at: clock.now(),
      attempt: run.attempt,
      level: 'info',
      text: String(text),
    } as const;
    await store.appendLogs([entry]).catch(report);
  };
  return {
    get signal() {
      return run.signal;
    },
    attempt: run.attempt,
    ...followed,
    monque: parts.monque,
    progress: (percent, message) => reported(saveProgress(percent, message)),
    log: (text) => reported(addLog(text)),
  };
}

function checkProgress(value: number, message: string | undefined): { value: number; message?: string } {
  if (typeof value !== 'number' || !(value >= 0 && value <= 100)) {
    throw new InvalidOptionError(
      'percent',
      `Progress must be a number from 0 to 100, but got ${String(value)}`,
    );
  }
  return message === undefined ? { value } : { value, message: String(message) };
}
