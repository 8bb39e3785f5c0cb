import type { JobStore, WatchObserver } from '@monque/core';

type Operation = Exclude<keyof JobStore, 'kind' | 'payload' | 'parseId' | 'isRefusal'>;

interface Fault {
  readonly operation: Operation;
  /** Whether the error comes instead of the effect, or after it: then the caller cannot know. */
  readonly when: 'instead' | 'after';
  readonly error: Error;
}

/** A store on the same database whose operations fail as the test says, as they would in an outage. */
export class FaultyStore {
  readonly store: JobStore;
  /** While true, every operation fails. */
  isDown = false;
  /** Operations that fail for as long as they are in here. */
  readonly broken = new Set<Operation>();
  #faults: Fault[] = [];
  #observers: WatchObserver[] = [];

  constructor(inner: JobStore) {
    this.store = new Proxy(inner, {
      get: (target, key) => {
        const member: unknown = Reflect.get(target, key, target);
        if (typeof member !== 'function') return member;
        // These two ask nobody.
        if (key === 'parseId' || key === 'isRefusal') return member.bind(target);
        return (...args: unknown[]) => this.#call(key as Operation, () => member.apply(target, args), args);
      },
    });
  }

  /** Lets the next call of an operation fail. */
  failNext(
    operation: Operation,
    when: Fault['when'],
    error = new Error(`The ${operation} was refused`),
  ): Error {
    this.#faults.push({ operation, when, error });
    return error;
  }

  /** Breaks every stream of changes. */
  loseStreams(error: Error): void {
    for (const observer of this.#observers.splice(0)) observer.lost(error);
  }

  async #call(operation: Operation, effect: () => unknown, args: unknown[]): Promise<unknown> {
    // A store that is closed for good is no part of an outage.
    if (this.isDown && operation !== 'close') throw new Error('The database is away');
    if (this.broken.has(operation)) throw new Error(`The ${operation} is broken`);
    const fault = this.#faults.find((candidate) => candidate.operation === operation);
    if (fault !== undefined) this.#faults.splice(this.#faults.indexOf(fault), 1);
    if (fault?.when === 'instead') throw fault.error;
    const answer = await effect();
    if (operation === 'watch') this.#observers.push(args[0] as WatchObserver);
    if (fault?.when === 'after') throw fault.error;
    return answer;
  }
}
