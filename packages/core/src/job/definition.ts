import { InvalidOptionError } from '../errors/input-errors.js';
import { checkAttempts, checkDuration, checkInteger, checkKeys, LARGEST_INTEGER } from '../options/checks.js';
import type { BackoffOptions } from './backoff-options.js';
import { checkBackoff } from './check-backoff.js';
import { validateJobName } from './identifiers.js';
import {
  isStandardSchema,
  type SchemaInput,
  type SchemaOutput,
  type StandardSchemaV1,
} from './standard-schema.js';

/** Survives two copies of the package: both make the same symbol. */
const DEFINITION = Symbol.for('@monque/core/job-definition');

const KEYS = ['schema', 'maxRetries', 'backoff', 'timeout', 'priority', 'concurrency'] as const;

/** What a definition says about its jobs. A job's own options win over these, and these over the worker's. */
export interface JobDefinitionOptions {
  /**
   * Attempts; 0 and 1 both mean that the first failure is final.
   *
   * @defaultValue the instance's `maxRetries`
   */
  maxRetries?: number;
  /**
   * Delays between attempts.
   *
   * @defaultValue exponential, from the instance's `baseRetryInterval`
   */
  backoff?: BackoffOptions;
  /**
   * Longest time that one run may take, in milliseconds, at least 1.
   *
   * @defaultValue none
   */
  timeout?: number;
  /**
   * Higher runs first; a whole number, negative allowed.
   *
   * @defaultValue 0
   */
  priority?: number;
  /**
   * Jobs of this definition that one process runs at the same time, at least 1.
   *
   * @defaultValue the instance's `workerConcurrency`
   */
  concurrency?: number;
}

/** The same with a schema that checks every payload, on enqueue and again before the run. */
export interface SchemaJobDefinitionOptions<Schema extends StandardSchemaV1> extends JobDefinitionOptions {
  /** A schema of any library that follows Standard Schema: Zod, Valibot, ArkType and others. */
  schema: Schema;
}

/**
 * A kind of job: made by {@link defineJob}, taken by `enqueue`, `register` and `schedule` in place of a name.
 *
 * @typeParam Input - The payload as it is enqueued.
 * @typeParam Result - What a handler returns.
 * @typeParam Output - The payload as a handler gets it: what the schema makes of the input.
 */
export interface JobDefinition<Input = unknown, Result = unknown, Output = Input>
  extends Readonly<JobDefinitionOptions> {
  /** Name of the jobs. */
  readonly name: string;
  /** Checks payloads. */
  readonly schema?: StandardSchemaV1<Input, Output>;
  /** Carries the types; holds nothing at run time. */
  readonly '~types'?: { readonly input: Input; readonly result: Result; readonly output: Output };
}

/**
 * Defines a kind of job once, so that producers and workers share its name, its types and its options.
 *
 * @throws InvalidJobIdentifierError | InvalidOptionError
 *
 * @example
 * ```ts
 * import { defineJob } from '@monque/core';
 *
 * const sendEmail = defineJob<{ to: string }, void>('send-email', { maxRetries: 5, timeout: 30_000 });
 * ```
 *
 * @example With a schema; the types come from it
 * ```ts
 * import { defineJob } from '@monque/core';
 * import { z } from 'zod';
 *
 * const resize = defineJob('resize', { schema: z.object({ width: z.number().positive() }) });
 * ```
 */
export function defineJob<Schema extends StandardSchemaV1, Result = unknown>(
  name: string,
  options: SchemaJobDefinitionOptions<Schema>,
): JobDefinition<SchemaInput<Schema>, Result, SchemaOutput<Schema>>;
export function defineJob<Data = unknown, Result = unknown>(
  name: string,
  options?: JobDefinitionOptions,
): JobDefinition<Data, Result>;
export function defineJob(name: string, options?: unknown): JobDefinition {
  validateJobName(name);
  const given = checkKeys(options, KEYS, 'job definition');
  const definition: JobDefinition = {
    name,
    ...(given.schema !== undefined && { schema: checkSchema(given.schema) }),
    ...(given.maxRetries !== undefined && { maxRetries: checkAttempts(given.maxRetries, 'maxRetries') }),
    ...(given.backoff !== undefined && { backoff: Object.freeze(checkBackoff(given.backoff, 'backoff')) }),
    ...(given.timeout !== undefined && { timeout: checkDuration(given.timeout, 'timeout', 1) }),
    ...(given.priority !== undefined && {
      priority: checkInteger(given.priority, 'priority', -LARGEST_INTEGER),
    }),
    ...(given.concurrency !== undefined && {
      concurrency: checkInteger(given.concurrency, 'concurrency', 1),
    }),
  };
  Object.defineProperty(definition, DEFINITION, { value: true });
  return Object.freeze(definition);
}

/** Whether a value was made by {@link defineJob}. */
export function isJobDefinition(value: unknown): value is JobDefinition {
  return typeof value === 'object' && value !== null && Object.hasOwn(value, DEFINITION);
}

function checkSchema(value: unknown): StandardSchemaV1 {
  if (isStandardSchema(value)) return value;
  throw new InvalidOptionError(
    'schema',
    'Option "schema" must be a schema that follows Standard Schema, as those of Zod 4, Valibot and ArkType do',
  );
}
