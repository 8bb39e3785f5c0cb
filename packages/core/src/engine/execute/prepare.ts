import { validateSchema } from '../../job/validate-schema.js';
import type { StoredJob } from '../../store/query-types.js';
import type { EngineParts } from '../engine-types.js';
import { HandlerContext } from './handler-context.js';
import { followsOthers, readFollowed } from './read-followed.js';
import type { Run } from './run.js';

/** A run with all that its handler needs. */
export interface Prepared {
  readonly job: StoredJob;
  readonly context: HandlerContext;
  /** Longest time that the handler may take, in milliseconds. */
  readonly timeout: number | undefined;
}

/** Whether there is nothing to wait for before a handler can be called, as is so for most jobs. */
export function isSimple({ job, worker }: Run): boolean {
  return worker.definition?.schema === undefined && !followsOthers(job);
}

/** Builds the handler's arguments. */
export function prepare(run: Run, parts: EngineParts): Prepared {
  const { job, worker } = run;
  return {
    // A copy: a handler that changes its job changes nothing that the engine relies on.
    job: { ...job },
    context: new HandlerContext(run, parts),
    timeout: job.timeout ?? worker.definition?.timeout ?? worker.options.timeout,
  };
}

/** The same for a payload that is checked once more, since any tool may have written it, and for what others led to. */
export async function prepareFully(run: Run, parts: EngineParts): Promise<Prepared> {
  const schema = run.worker.definition?.schema;
  const { data } = run.job;
  const checked = schema === undefined ? data : await validateSchema(schema, data);
  const followed = await readFollowed(run, parts);
  const prepared = prepare(run, parts);
  prepared.job.data = checked;
  Object.assign(prepared.context, followed);
  return prepared;
}
