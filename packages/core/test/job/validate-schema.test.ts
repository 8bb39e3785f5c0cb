import * as v from 'valibot';
import { describe, expect, test } from 'vitest';
import { z } from 'zod';
import { InvalidPayloadError } from '../../src/errors/input-errors.js';
import { isStandardSchema, type StandardSchemaV1 } from '../../src/job/standard-schema.js';
import { validateSchema } from '../../src/job/validate-schema.js';

async function refusal(schema: StandardSchemaV1, data: unknown): Promise<InvalidPayloadError> {
  const error: unknown = await validateSchema(schema, data).catch((caught: unknown) => caught);
  expect(error).toBeInstanceOf(InvalidPayloadError);
  return error as InvalidPayloadError;
}

describe.each<[string, StandardSchemaV1]>([
  ['Zod', z.object({ to: z.string(), items: z.array(z.object({ price: z.number() })) })],
  ['Valibot', v.object({ to: v.string(), items: v.array(v.object({ price: v.number() })) })],
])('a schema of %s', (_, schema) => {
  test('lets through what matches', async () => {
    const data = { to: 'x', items: [{ price: 5 }] };
    expect(await validateSchema(schema, data)).toEqual(data);
  });

  test('refuses what does not, and says where', async () => {
    const error = await refusal(schema, { to: 5, items: [{ price: 1 }, { price: 'free' }] });
    expect(error.issues.map(({ path }) => path)).toEqual(['data.to', 'data.items[1].price']);
    expect(error.message).toContain('data.to: ');
    expect(error.message).toContain('data.items[1].price: ');
  });

  test('refuses what is no object at all', async () => {
    for (const data of [undefined, null, 'x'])
      expect((await refusal(schema, data)).issues[0]?.path).toBe('data');
  });
});

test('the answer is the output of the schema', async () => {
  const schema = z.object({
    at: z.string().transform((text) => text.length),
    retries: z.number().default(3),
  });
  expect(await validateSchema(schema, { at: 'four' })).toEqual({ at: 4, retries: 3 });
});

test('a schema may take its time', async () => {
  const schema = z.string().refine(async (text) => text === 'yes');
  expect(await validateSchema(schema, 'yes')).toBe('yes');
  expect((await refusal(schema, 'no')).issues).toHaveLength(1);
});

test('what a schema throws is passed on as it is', async () => {
  const outage = new Error('The lookup timed out');
  const schema = (validate: () => never | Promise<never>): StandardSchemaV1 => ({
    '~standard': { version: 1, vendor: 'test', validate },
  });
  const throwing = schema(() => {
    throw outage;
  });
  await expect(validateSchema(throwing, 'x')).rejects.toBe(outage);
  await expect(
    validateSchema(
      schema(() => Promise.reject(outage)),
      'x',
    ),
  ).rejects.toBe(outage);
});

test('a message stays short, and the issues stay complete', async () => {
  const error = await refusal(z.array(z.number()), Array.from({ length: 50 }, String));
  expect(error.issues).toHaveLength(50);
  expect(error.message).toContain('and 45 more');
});

test('schemas are recognised by the specification, functions included', () => {
  const callable = Object.assign(() => 1, { '~standard': z.string()['~standard'] });
  expect([z.string(), v.string(), callable].map(isStandardSchema)).toEqual([true, true, true]);
  expect([null, undefined, {}, 'x', { '~standard': null }, { '~standard': {} }].some(isStandardSchema)).toBe(
    false,
  );
});
