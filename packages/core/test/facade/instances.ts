import { randomBytes } from 'node:crypto';
import type { EventEmitter } from 'node:events';
import { Monque, type MonqueEventMap, type MonqueOptions, memory } from '@monque/core';
import { testDatabase } from '@monque/test-servers/vitest';
import { afterEach, describe } from 'vitest';

/** Longest time that any signal in these tests may take. */
const DEADLINE_MS = 5_000;

/** Makes an initialised instance that ends with its test. */
export type MakeInstance = (options?: MonqueOptions) => Promise<Monque<unknown>>;

/** Gives instances on one shared in-memory store per test. */
export function memoryInstances(): (options?: MonqueOptions) => Promise<Monque<string>> {
  let store = memory();
  const open = new Set<Monque<string>>();
  afterEach(async () => {
    await Promise.all([...open].map((monque) => monque.close()));
    open.clear();
    store = memory();
  });
  return async (options) => {
    const monque = new Monque(store, options);
    open.add(monque);
    await monque.initialize();
    return monque;
  };
}

/** Runs the same tests on the in-memory store and on MongoDB; instances of one test share their jobs. */
export function onEveryStore(title: string, tests: (make: MakeInstance) => void): void {
  describe(`${title} (in memory)`, () => {
    tests(memoryInstances() as MakeInstance);
  });
  describe(`${title} (on MongoDB)`, () => {
    const { db } = testDatabase();
    const open = new Set<Monque>();
    let collectionName = newName();
    afterEach(async () => {
      await Promise.all([...open].map((monque) => monque.close()));
      open.clear();
      collectionName = newName();
    });
    tests(async (options) => {
      const monque = new Monque(db, { collectionName, ...options });
      open.add(monque);
      await monque.initialize();
      return monque as Monque<unknown>;
    });
  });
}

function newName(): string {
  return `jobs_${randomBytes(4).toString('hex')}`;
}

type Payload<Id, K extends keyof MonqueEventMap<Id>> = MonqueEventMap<Id>[K][0];

/** Resolves with the next event of a kind, and rejects when none comes in time. */
export function nextEvent<Id, K extends keyof MonqueEventMap<Id> & string>(
  monque: Monque<Id>,
  event: K,
): Promise<Payload<Id, K>> {
  return new Promise((resolve, reject) => {
    const timer = setTimeout(() => reject(new Error(`No ${event} within ${DEADLINE_MS} ms`)), DEADLINE_MS);
    untyped(monque).once(event, (payload: Payload<Id, K>) => {
      clearTimeout(timer);
      resolve(payload);
    });
  });
}

/** Collects the events of a kind. */
export function collect<Id, K extends keyof MonqueEventMap<Id> & string>(
  monque: Monque<Id>,
  event: K,
): Payload<Id, K>[] {
  const seen: Payload<Id, K>[] = [];
  untyped(monque).on(event, (payload: Payload<Id, K>) => seen.push(payload));
  return seen;
}

/** With an event that is itself a type parameter, the listener's type cannot be told. */
function untyped<Id>(monque: Monque<Id>): EventEmitter {
  return monque as unknown as EventEmitter;
}
