/**
 * A schema of any library that follows the Standard Schema specification, version 1: Zod, Valibot, ArkType and
 * others.
 *
 * @typeParam Input - What goes in; `enqueue` takes it.
 * @typeParam Output - What comes out; the handler gets it.
 */
export interface StandardSchemaV1<Input = unknown, Output = Input> {
  /** The properties that the specification asks for. */
  readonly '~standard': StandardSchemaProps<Input, Output>;
}

/** What a schema says about itself. */
interface StandardSchemaProps<Input = unknown, Output = Input> {
  /** Version of the specification. */
  readonly version: 1;
  /** The library. */
  readonly vendor: string;
  /** Checks a value, at once or later. */
  readonly validate: (value: unknown) => StandardSchemaResult<Output> | Promise<StandardSchemaResult<Output>>;
  /** Carries the types; holds nothing at run time. */
  readonly types?: { readonly input: Input; readonly output: Output } | undefined;
}

/** The answer of a schema: a value, or what is wrong. */
type StandardSchemaResult<Output> =
  | { readonly value: Output; readonly issues?: undefined }
  | { readonly issues: readonly StandardSchemaIssue[] };

/** One thing that is wrong. */
export interface StandardSchemaIssue {
  /** What it is. */
  readonly message: string;
  /** Where it is, from the outside in. */
  readonly path?: readonly (PropertyKey | { readonly key: PropertyKey })[] | undefined;
}

/** What a schema takes. */
export type SchemaInput<Schema extends StandardSchemaV1> = NonNullable<Schema['~standard']['types']>['input'];

/** What a schema gives. */
export type SchemaOutput<Schema extends StandardSchemaV1> = NonNullable<
  Schema['~standard']['types']
>['output'];

/** Whether a value follows the specification. Some libraries make schemas that are functions. */
export function isStandardSchema(value: unknown): value is StandardSchemaV1 {
  if ((typeof value !== 'object' && typeof value !== 'function') || value === null) return false;
  const props = (value as { '~standard'?: unknown })['~standard'];
  if (typeof props !== 'object' || props === null) return false;
  return typeof (props as { validate?: unknown }).validate === 'function';
}
