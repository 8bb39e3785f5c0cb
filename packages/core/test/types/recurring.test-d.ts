import {
  defineJob,
  type Monque,
  type PersistedJob,
  type RecurringSummary,
  type RecurringTemplate,
} from '@monque/core';
import type { ObjectId } from 'mongodb';
import { expectTypeOf, test } from 'vitest';
import { z } from 'zod';

declare const mongo: Monque;
declare const other: Monque<string>;

const plain = defineJob<{ to: string }, number>('plain');
const parsed = defineJob('parsed', {
  schema: z.object({ at: z.string().transform((text) => new Date(text)) }),
});
const empty = defineJob('empty');

test('the payload of a template comes from its definition', () => {
  const { recurring } = mongo;
  expectTypeOf(
    recurring.upsert('a', { cron: '@daily', name: plain, data: { to: 'ada' } }),
  ).resolves.toEqualTypeOf<RecurringTemplate<{ to: string }>>();
  expectTypeOf(
    recurring.upsert('a', { cron: '@daily', name: parsed, data: { at: 'now' } }),
  ).resolves.toEqualTypeOf<RecurringTemplate<{ at: string }>>();
  void recurring.upsert('a', { cron: '@daily', name: empty });
  // @ts-expect-error: not what the definition says
  void recurring.upsert('a', { cron: '@daily', name: plain, data: { to: 7 } });
  // @ts-expect-error: the definition asks for a payload
  void recurring.upsert('a', { cron: '@daily', name: plain });
});

test('a name takes any payload, and none', () => {
  expectTypeOf(mongo.recurring.upsert('a', { cron: '@daily', name: 'work', data: 7 })).resolves.toEqualTypeOf<
    RecurringTemplate<number>
  >();
  void mongo.recurring.upsert('a', { cron: '@daily', name: 'work', misfire: 'all', enabled: false });
  // @ts-expect-error: a template has a cron text
  void mongo.recurring.upsert('a', { name: 'work' });
  // @ts-expect-error: no such word
  void mongo.recurring.upsert('a', { cron: '@daily', name: 'work', misfire: 'twice' });
});

test('jobs have the ids of the store', () => {
  expectTypeOf(mongo.recurring.trigger('a')).resolves.toEqualTypeOf<PersistedJob<unknown, ObjectId> | null>();
  expectTypeOf(other.recurring.trigger('a')).resolves.toEqualTypeOf<PersistedJob<unknown, string> | null>();
  expectTypeOf(other.recurring.list()).resolves.toEqualTypeOf<RecurringSummary<string>[]>();
  mongo.on('recurring:fired', ({ job, at, id }) => {
    expectTypeOf(job).toEqualTypeOf<PersistedJob<unknown, ObjectId>>();
    expectTypeOf(at).toEqualTypeOf<Date>();
    expectTypeOf(id).toEqualTypeOf<string>();
  });
});
