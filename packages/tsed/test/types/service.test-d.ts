import type { EventEmitter } from 'node:events';
import type { Monque, PersistedJob } from '@monque/core';
import { defineJob } from '@monque/core';
import type { MonqueService, MonqueServices } from '@monque/tsed';
import type { ObjectId } from 'mongodb';
import { describe, expectTypeOf, test } from 'vitest';

declare const service: MonqueService;
declare const sql: MonqueService<string>;

describe('MonqueService', () => {
  test('has every public name of Monque, with the same type', () => {
    expectTypeOf<keyof MonqueService>().toEqualTypeOf<keyof Monque | 'monque'>();
    expectTypeOf<Pick<MonqueService, keyof Monque>>().toEqualTypeOf<Pick<Monque, keyof Monque>>();
    expectTypeOf<Pick<MonqueService<string>, keyof Monque>>().toEqualTypeOf<
      Pick<Monque<string>, keyof Monque>
    >();
  });

  test('has no member that is any', () => {
    type Own = Exclude<keyof MonqueService, keyof EventEmitter>;
    type Anys = { [Name in Own]: 0 extends 1 & MonqueService[Name] ? Name : never }[Own];
    expectTypeOf<Anys>().toBeNever();
  });

  test('keeps the overloads: names, and definitions with their types', () => {
    const mail = defineJob<{ to: string }, void>('mail');
    expectTypeOf(service.enqueue('a', 1)).resolves.toEqualTypeOf<PersistedJob<number>>();
    expectTypeOf(service.enqueue(mail, { to: 'ada' })).resolves.toEqualTypeOf<PersistedJob<{ to: string }>>();
    // @ts-expect-error: not what the definition says
    void service.enqueue(mail, { to: 7 });
  });

  test('has the ids of its store', () => {
    expectTypeOf(service.monque).toEqualTypeOf<Monque<ObjectId>>();
    expectTypeOf(sql.monque).toEqualTypeOf<Monque<string>>();
    expectTypeOf(sql.enqueue('a', 1)).resolves.toEqualTypeOf<PersistedJob<number, string>>();
  });
});

test('MonqueServices gives services by their ids', () => {
  const services = {} as MonqueServices;
  expectTypeOf(services.get('analytics')).toEqualTypeOf<MonqueService<ObjectId>>();
  expectTypeOf(services.get<string>('analytics')).toEqualTypeOf<MonqueService<string>>();
});
