import { InvalidPayloadError } from '../../errors/input-errors.js';
import { toError } from '../../job/thrown.js';
import type { Outcome } from '../../store/settle-types.js';
import type { EngineParts } from '../engine-types.js';
import { type HandlerResult, invoke } from './invoke.js';
import { judge } from './judge.js';
import { isSimple, type Prepared, prepare, prepareFully } from './prepare.js';
import type { Run } from './run.js';

/** What came of a run, for the settler. */
export interface Executed {
  readonly outcome: Outcome;
  readonly startedAt: Date;
  /** Milliseconds that the handler took. */
  readonly duration: number;
  /** Present for failures. */
  readonly error?: Error;
}

/** A run without an outcome: its claim is gone, or is to be given back untouched. */
export type Unfinished = 'taken' | 'given back';

/** One run, from claim to outcome: prepare, invoke, judge. It writes nothing. */
export async function execute(run: Run, parts: EngineParts): Promise<Executed | Unfinished> {
  const startedAt = parts.clock.now();
  const begin = parts.host.monotonic();
  parts.emit('job:start', run.job);
  const result = await runHandler(run, parts);
  if (result.type === 'taken') return 'taken';
  // It gave up because a shutdown asked it to, which is no failure of its own.
  if (result.type === 'thrown' && run.interrupted) return 'given back';
  const duration = Math.max(0, Math.round(parts.host.monotonic() - begin));
  return { startedAt, duration, ...judge(run, result, parts) };
}

/** Not async itself: most jobs are simple, and each promise more is one more for every job. */
function runHandler(run: Run, parts: EngineParts): Promise<HandlerResult> {
  return isSimple(run) ? invoke(run, prepare(run, parts), parts.host) : prepareAndInvoke(run, parts);
}

async function prepareAndInvoke(run: Run, parts: EngineParts): Promise<HandlerResult> {
  let prepared: Prepared;
  try {
    prepared = await prepareFully(run, parts);
  } catch (thrown) {
    // A payload that its schema refuses is refused at every attempt.
    return { type: thrown instanceof InvalidPayloadError ? 'refused' : 'thrown', error: toError(thrown) };
  }
  return invoke(run, prepared, parts.host);
}
