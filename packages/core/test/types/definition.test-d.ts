import * as v from 'valibot';
import { describe, expectTypeOf, test } from 'vitest';
import { z } from 'zod';
import { defineJob, type JobDefinition } from '../../src/job/definition.js';
import type { SchemaInput, SchemaOutput, StandardSchemaV1 } from '../../src/job/standard-schema.js';

describe('defineJob', () => {
  test('takes data and result as type arguments', () => {
    expectTypeOf(defineJob<{ to: string }, void>('x')).toEqualTypeOf<JobDefinition<{ to: string }, void>>();
    expectTypeOf(defineJob<{ to: string }>('x', { timeout: 5 })).toEqualTypeOf<
      JobDefinition<{ to: string }>
    >();
    expectTypeOf(defineJob('x')).toEqualTypeOf<JobDefinition>();
  });

  test('takes the data from a schema, with input and output apart', () => {
    const zod = z.object({ at: z.string().transform((text) => text.length), n: z.number().default(1) });
    const fromZod = defineJob('x', { schema: zod });
    type Input = { at: string; n?: number | undefined };
    type Output = { at: number; n: number };
    expectTypeOf(fromZod).toEqualTypeOf<JobDefinition<Input, unknown, Output>>();

    const valibot = v.object({ at: v.pipe(v.string(), v.transform(Number)) });
    const fromValibot = defineJob('x', { schema: valibot, maxRetries: 2 });
    expectTypeOf(fromValibot).toEqualTypeOf<JobDefinition<{ at: string }, unknown, { at: number }>>();
  });

  test('takes a result type beside a schema', () => {
    const schema = z.object({ to: z.string() });
    expectTypeOf(defineJob<typeof schema, number>('x', { schema })).toEqualTypeOf<
      JobDefinition<{ to: string }, number, { to: string }>
    >();
  });

  test('refuses unknown and wrong options', () => {
    // @ts-expect-error an option that does not exist
    defineJob('x', { retries: 5 });
    // @ts-expect-error a function belongs on a worker
    defineJob('x', { backoff: () => 5 });
    // @ts-expect-error no schema
    defineJob('x', { schema: {} });
  });

  test('any definition is a definition', () => {
    expectTypeOf(defineJob<{ to: string }, number>('x')).toExtend<JobDefinition>();
    expectTypeOf(defineJob('x', { schema: z.object({ to: z.string() }) })).toExtend<JobDefinition>();
    expectTypeOf<JobDefinition<{ to: number }>>().not.toExtend<JobDefinition<{ to: string }>>();
  });
});

test('schemas of libraries follow our reading of the specification', () => {
  const schema = z.string().transform(Number);
  expectTypeOf(schema).toExtend<StandardSchemaV1>();
  expectTypeOf<SchemaInput<typeof schema>>().toEqualTypeOf<string>();
  expectTypeOf<SchemaOutput<typeof schema>>().toEqualTypeOf<number>();
});
