import { InvalidOptionError } from '../../errors/input-errors.js';
import type { JobContext } from '../../job/handler.js';
import { toError } from '../../job/thrown.js';
import type { EngineParts } from '../engine-types.js';
import type { Followed } from './read-followed.js';
import type { Run } from './run.js';

/** Where a context keeps its run: not a private field, which a context that wraps another would not reach. */
const RUN = Symbol('run');

/**
 * Makes the signal when it is first read. A property of each context, so that a copy of one has it too; the same for
 * all of them, since a getter of its own would give each context a shape of its own, which costs more than all the rest.
 */
const SIGNAL: PropertyDescriptor & ThisType<HandlerContext> = {
  get() {
    return this[RUN].signal;
  },
  enumerable: true,
};

/** What a handler gets beside its job. */
export class HandlerContext implements JobContext<unknown> {
  declare readonly signal: AbortSignal;
  declare readonly parent?: NonNullable<Followed['parent']>;
  declare readonly batch?: NonNullable<Followed['batch']>;
  readonly [RUN]: Run;
  readonly attempt: number;
  readonly monque: JobContext<unknown>['monque'];
  readonly progress: JobContext<unknown>['progress'];
  readonly log: JobContext<unknown>['log'];

  constructor(run: Run, parts: EngineParts) {
    this[RUN] = run;
    this.attempt = run.attempt;
    this.monque = parts.monque;
    this.progress = (percent, message) => reported(run, parts, saveProgress(run, parts, percent, message));
    this.log = (text) => reported(run, parts, addLog(run, parts, text));
    Object.defineProperty(this, 'signal', SIGNAL);
  }
}

/** Handlers need not await these: whatever goes wrong is an event, and never an unhandled rejection. */
function reported(run: Run, parts: EngineParts, work: Promise<void>): Promise<void> {
  work.catch((thrown: unknown) => report(run, parts, thrown));
  return work;
}

function report(run: Run, { emit }: EngineParts, thrown: unknown): void {
  emit('job:error', { error: toError(thrown), job: run.job });
}

async function saveProgress(
  run: Run,
  parts: EngineParts,
  percent: number,
  message: string | undefined,
): Promise<void> {
  const progress = checkProgress(percent, message);
  await parts.store
    .saveProgress(run.claim, { ...progress, at: parts.clock.now() })
    .catch((thrown: unknown) => report(run, parts, thrown));
}

async function addLog(run: Run, parts: EngineParts, text: string): Promise<void> {
  const entry = {
    jobId: run.id,
    at: parts.clock.now(),
    attempt: run.attempt,
    level: 'info',
    text: String(text),
  } as const;
  await parts.store.appendLogs([entry]).catch((thrown: unknown) => report(run, parts, thrown));
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
