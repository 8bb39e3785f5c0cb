import { InvalidOptionError } from '../errors/input-errors.js';
import {
  checkAttempts,
  checkChoice,
  checkDuration,
  checkFlag,
  checkInteger,
  checkKeys,
  LARGEST_INTEGER,
} from '../options/checks.js';
import type { BackoffOptions } from './backoff-options.js';
import { checkBackoff } from './check-backoff.js';
import { checkDate } from './dates.js';
import type { ContinueOn } from './enqueue-options.js';
import { validateUniqueKey } from './identifiers.js';
import { checkTimezone } from './timezone.js';

/** Options of `enqueue` or `schedule`, all checked; absent where they were not given. */
export interface CheckedEnqueueOptions {
  readonly runAt?: Date;
  readonly delay?: number;
  readonly uniqueKey?: string;
  readonly priority?: number;
  /** At least 1. */
  readonly maxRetries?: number;
  readonly backoff?: BackoffOptions;
  readonly timeout?: number;
  readonly timezone?: string;
  readonly hold: boolean;
  readonly onDuplicate: 'keep' | 'replace' | 'reject';
  readonly session?: unknown;
  readonly parent?: { readonly id: unknown; readonly on: ContinueOn };
  /** Only where it was asked for by itself: after which end of a batch to run. */
  readonly on?: ContinueOn;
}

/** What the options are for. */
export type OptionsKind = 'enqueue' | 'schedule' | 'continue';

const SHARED_KEYS = ['runAt', 'uniqueKey', 'priority', 'maxRetries', 'backoff', 'timeout'] as const;
const ENQUEUE_KEYS = [...SHARED_KEYS, 'delay', 'hold', 'onDuplicate', 'session', 'parent'] as const;
const SCHEDULE_KEYS = [...SHARED_KEYS, 'timezone'] as const;
const CONTINUE_KEYS = [...SHARED_KEYS, 'delay', 'on', 'hold', 'session'] as const;

type Key = (typeof ENQUEUE_KEYS | typeof SCHEDULE_KEYS | typeof CONTINUE_KEYS)[number];

const KEYS: Readonly<Record<OptionsKind, readonly Key[]>> = {
  enqueue: ENQUEUE_KEYS,
  schedule: SCHEDULE_KEYS,
  continue: CONTINUE_KEYS,
};

const ENDS: readonly ContinueOn[] = ['success', 'failure', 'any'];

const NOTHING_GIVEN: CheckedEnqueueOptions = Object.freeze({ hold: false, onDuplicate: 'keep' });

/**
 * Accepts options of `enqueue`, of `schedule`, or of calls that add a job after others.
 *
 * @throws InvalidOptionError naming the option | InvalidJobIdentifierError for the unique key
 */
export function checkEnqueueOptions(options: unknown, kind: OptionsKind): CheckedEnqueueOptions {
  if (options === undefined) return NOTHING_GIVEN;
  const given = checkKeys(options, KEYS[kind], `${kind} options`);
  if (given.parent !== undefined || kind === 'continue')
    refuseForWaiting(given, 'a job that follows another');
  if (given.delay !== undefined && given.runAt !== undefined) {
    throw new InvalidOptionError('delay', 'Options "delay" and "runAt" exclude each other. Give one of them');
  }
  return {
    ...(given.runAt !== undefined && { runAt: checkDate(given.runAt, 'runAt') }),
    ...(given.delay !== undefined && { delay: checkDelay(given.delay) }),
    ...(given.uniqueKey !== undefined && { uniqueKey: checkUniqueKey(given.uniqueKey) }),
    ...(given.priority !== undefined && {
      priority: checkInteger(given.priority, 'priority', -LARGEST_INTEGER),
    }),
    ...(given.maxRetries !== undefined && { maxRetries: checkAttempts(given.maxRetries, 'maxRetries') }),
    ...(given.backoff !== undefined && { backoff: checkBackoff(given.backoff, 'backoff') }),
    ...(given.timeout !== undefined && { timeout: checkDuration(given.timeout, 'timeout', 1) }),
    ...(given.timezone !== undefined && { timezone: checkTimezone(given.timezone) }),
    hold: given.hold === undefined ? false : checkFlag(given.hold, 'hold'),
    onDuplicate:
      given.onDuplicate === undefined
        ? 'keep'
        : checkChoice(given.onDuplicate, 'onDuplicate', ['keep', 'replace', 'reject']),
    ...(given.session !== undefined && { session: given.session }),
    ...(given.parent !== undefined && { parent: checkParent(given.parent) }),
    ...(given.on !== undefined && { on: checkChoice(given.on, 'on', ENDS) }),
  };
}

function checkParent(value: unknown): { id: unknown; on: ContinueOn } {
  const { id, on } = checkKeys(value, ['id', 'on'], 'parent', 'parent.');
  if (id === undefined || id === null) {
    throw new InvalidOptionError('parent.id', 'Option "parent" must have the id of a job: { id, on? }');
  }
  return { id, on: on === undefined ? 'success' : checkChoice(on, 'parent.on', ENDS) };
}

/** Why a job that waits for others cannot have an option. */
const REFUSED_FOR_WAITING = {
  uniqueKey: 'a job that waits occupies no key',
  hold: 'it waits already',
  session: 'it takes more than one step to store',
} as const;

/**
 * Refuses options that make no sense for a job that waits, or is stored together with others.
 *
 * @param what - What the job is, for the message.
 */
export function refuseForWaiting(
  given: Readonly<Partial<Record<keyof typeof REFUSED_FOR_WAITING, unknown>>>,
  what: string,
): void {
  for (const [option, why] of Object.entries(REFUSED_FOR_WAITING)) {
    const value = given[option as keyof typeof REFUSED_FOR_WAITING];
    if (value === undefined || value === false) continue;
    throw new InvalidOptionError(
      option,
      `Option "${option}" cannot be used for ${what}: ${why}. Leave it out`,
    );
  }
}

/** Longer durations are cut to a thousand years elsewhere; here that would be another date than was asked for. */
function checkDelay(value: unknown): number {
  const delay = checkDuration(value, 'delay');
  if (delay >= (value as number)) return delay;
  throw new InvalidOptionError('delay', 'Option "delay" must end within a thousand years');
}

function checkUniqueKey(value: unknown): string {
  validateUniqueKey(value as string);
  return value as string;
}
