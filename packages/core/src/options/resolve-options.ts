import { randomUUID } from 'node:crypto';
import { InvalidOptionError } from '../errors/input-errors.js';
import { DEFAULT_BASE_INTERVAL, DEFAULT_MAX_BACKOFF_DELAY } from '../job/backoff.js';
import { checkTimezone } from '../job/timezone.js';
import {
  checkAttempts,
  checkDuration,
  checkFlag,
  checkInteger,
  checkKeys,
  checkShare,
  checkText,
} from './checks.js';
import type { MonqueOptions } from './monque-options.js';
import type { ResolvedOptions } from './resolved-options.js';

const MINUTE = 60_000;

/** Every option once; the compiler finds a missing or an unknown one. */
const KNOWN: Record<keyof MonqueOptions, true> = {
  collectionName: true,
  pollInterval: true,
  safetyPollInterval: true,
  maxRetries: true,
  baseRetryInterval: true,
  maxBackoffDelay: true,
  retryJitter: true,
  shutdownTimeout: true,
  workerConcurrency: true,
  defaultConcurrency: true,
  instanceConcurrency: true,
  maxConcurrency: true,
  heartbeatInterval: true,
  lockTimeout: true,
  recoverStaleJobs: true,
  schedulerInstanceId: true,
  jobRetention: true,
  skipIndexCreation: true,
  statsCacheTtlMs: true,
  maxPayloadSize: true,
  timezone: true,
};
const KEYS = Object.keys(KNOWN) as (keyof MonqueOptions)[];
const RETENTION_KEYS = ['completed', 'failed', 'cancelled', 'interval'] as const;

type Given = Readonly<Partial<Record<keyof MonqueOptions, unknown>>>;

/**
 * Checks the options of an instance and fills in the defaults.
 *
 * @throws InvalidOptionError naming the option.
 */
export function resolveOptions(options: unknown): ResolvedOptions {
  const given: Given = checkKeys(options, KEYS, 'options');
  const duration = (key: keyof MonqueOptions, byDefault: number, min: number) =>
    given[key] === undefined ? byDefault : checkDuration(given[key], key, min);
  const flag = (key: keyof MonqueOptions, byDefault: boolean) =>
    given[key] === undefined ? byDefault : checkFlag(given[key], key);

  const lockTimeout = duration('lockTimeout', 2 * MINUTE, 1);
  return {
    collectionName:
      given.collectionName === undefined ? 'monque_jobs' : checkCollection(given.collectionName),
    pollInterval: duration('pollInterval', 1_000, 1),
    safetyPollInterval: duration('safetyPollInterval', 30_000, 1),
    maxRetries: given.maxRetries === undefined ? 10 : checkAttempts(given.maxRetries, 'maxRetries'),
    baseRetryInterval: duration('baseRetryInterval', DEFAULT_BASE_INTERVAL, 0),
    maxBackoffDelay: duration('maxBackoffDelay', DEFAULT_MAX_BACKOFF_DELAY, 0),
    retryJitter: given.retryJitter === undefined ? 0 : checkShare(given.retryJitter, 'retryJitter'),
    shutdownTimeout: duration('shutdownTimeout', 30_000, 0),
    workerConcurrency: eitherOf(given, 'workerConcurrency', 'defaultConcurrency') ?? 5,
    instanceConcurrency: eitherOf(given, 'instanceConcurrency', 'maxConcurrency') ?? Number.POSITIVE_INFINITY,
    heartbeatInterval: Math.min(
      duration('heartbeatInterval', 30_000, 1),
      Math.max(1, Math.floor(lockTimeout / 3)),
    ),
    lockTimeout,
    legacyLockTimeout: given.lockTimeout === undefined ? 30 * MINUTE : lockTimeout,
    recoverStaleJobs: flag('recoverStaleJobs', true),
    schedulerInstanceId:
      given.schedulerInstanceId === undefined
        ? randomUUID()
        : checkText(given.schedulerInstanceId, 'schedulerInstanceId', 255),
    ...(given.jobRetention !== undefined && { jobRetention: resolveRetention(given.jobRetention) }),
    skipIndexCreation: flag('skipIndexCreation', false),
    statsCacheTtlMs: duration('statsCacheTtlMs', 5_000, 0),
    ...(given.maxPayloadSize !== undefined && {
      maxPayloadSize: checkInteger(given.maxPayloadSize, 'maxPayloadSize', 1, Number.MAX_SAFE_INTEGER),
    }),
    timezone: given.timezone === undefined ? 'UTC' : checkTimezone(given.timezone),
  };
}

/** An option with two names. Both are checked; where both are given, the newer one counts. */
function eitherOf(given: Given, key: keyof MonqueOptions, alias: keyof MonqueOptions): number | undefined {
  const [first, second] = [key, alias].map((name) =>
    given[name] === undefined ? undefined : checkInteger(given[name], name, 1),
  );
  return first ?? second;
}

function resolveRetention(value: unknown): NonNullable<ResolvedOptions['jobRetention']> {
  const given = checkKeys(value, RETENTION_KEYS, 'jobRetention', 'jobRetention.');
  const age = (key: 'completed' | 'failed' | 'cancelled') =>
    given[key] !== undefined && { [key]: checkDuration(given[key], `jobRetention.${key}`) };
  return {
    ...age('completed'),
    ...age('failed'),
    ...age('cancelled'),
    interval:
      given.interval === undefined ? 60 * MINUTE : checkDuration(given.interval, 'jobRetention.interval', 1),
  };
}

/** MongoDB would refuse these too, but only at the first write. */
function checkCollection(value: unknown): string {
  const name = checkText(value, 'collectionName', 200);
  if (!name.includes('$') && !name.startsWith('system.') && !/^\.|\.$/.test(name)) return name;
  throw new InvalidOptionError(
    'collectionName',
    'Option "collectionName" must not contain "$", begin with "system." or a dot, or end with a dot',
  );
}
