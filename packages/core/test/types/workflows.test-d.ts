import {
  type Batch,
  type ContinueOn,
  defineJob,
  type EnqueuedBatch,
  type JobContext,
  type JobTree,
  type Monque,
  type PersistedJob,
} from '@monque/core';
import type { ObjectId } from 'mongodb';
import { describe, expectTypeOf, test } from 'vitest';

declare const mongo: Monque;
declare const inMemory: Monque<string>;

const plain = defineJob<{ to: string }, number>('plain');

describe('continuations', () => {
  test('take the id in either form, and data from a definition', () => {
    expectTypeOf(mongo.continueWith).parameter(0).toEqualTypeOf<ObjectId | string>();
    expectTypeOf(mongo.continueWith('id', plain, { to: 'ada' })).resolves.toEqualTypeOf<
      PersistedJob<{ to: string }>
    >();
    expectTypeOf(inMemory.continueWith('id', 'name', 7)).resolves.toEqualTypeOf<
      PersistedJob<number, string>
    >();
    // @ts-expect-error: not what the definition says
    void mongo.continueWith('id', plain, { to: 7 });
    // @ts-expect-error: no end of a job
    void mongo.continueWith('id', plain, { to: 'ada' }, { on: 'sometimes' });
    // @ts-expect-error: a job that waits occupies no key
    void mongo.continueWith('id', plain, { to: 'ada' }, { uniqueKey: 'key' });
    void mongo.enqueue(plain, { to: 'ada' }, { parent: { id: 'id', on: 'any' } });
  });

  test('a job knows its parent by the kind of id of its store', () => {
    expectTypeOf<PersistedJob['parentJobId']>().toEqualTypeOf<ObjectId | undefined>();
    expectTypeOf<PersistedJob<unknown, string>['parentJobId']>().toEqualTypeOf<string | undefined>();
    expectTypeOf<NonNullable<JobContext['parent']>['id']>().toEqualTypeOf<ObjectId>();
    expectTypeOf<NonNullable<JobContext['batch']>['counts']['failed']>().toEqualTypeOf<number>();
    expectTypeOf<ContinueOn>().toEqualTypeOf<'success' | 'failure' | 'any'>();
  });

  test('a tree has jobs of the store', () => {
    expectTypeOf(inMemory.getJobTree('id')).resolves.toEqualTypeOf<JobTree<string> | null>();
  });
});

describe('batches', () => {
  test('answer a job for each item, with its data', () => {
    expectTypeOf(
      mongo.enqueueBatch([
        { name: plain, data: { to: 'ada' } },
        { name: 'other', data: 7 },
      ]),
    ).resolves.toEqualTypeOf<EnqueuedBatch<[PersistedJob<{ to: string }>, PersistedJob<number>]>>();
    expectTypeOf(mongo.addToBatch('id', [{ name: 'other', data: 7 }])).resolves.toEqualTypeOf<
      [PersistedJob<number>]
    >();
    // @ts-expect-error: not what the definition says
    void mongo.enqueueBatch([{ name: plain, data: { to: 7 } }]);
    // @ts-expect-error: not what the definition says
    void mongo.continueBatchWith('id', plain, 'ada');
  });

  test('are told as they are, or as null', () => {
    expectTypeOf(mongo.getBatch('id')).resolves.toEqualTypeOf<Batch | null>();
    expectTypeOf(mongo.retryBatch('id')).resolves.toEqualTypeOf<Batch | null>();
    expectTypeOf(mongo.cancelBatch('id', { running: true })).resolves.toEqualTypeOf<Batch | null>();
    expectTypeOf(mongo.listBatches({ finished: true })).resolves.toEqualTypeOf<Batch[]>();
  });
});
