import { EventEmitter } from 'node:events';
import { Monque } from '@monque/core';

/** Every public name of {@link Monque}, its own and the emitter's. */
type MonqueApi<Id> = Pick<Monque<Id>, keyof Monque<Id>>;

/** Names of Monque's own that answer at once; all others answer with a promise. */
type SynchronousName = Exclude<
  {
    [Name in keyof Monque]-?: Monque[Name] extends (...args: never[]) => Promise<unknown> ? never : Name;
  }[keyof Monque],
  keyof EventEmitter
>;

/** Each of them once; the compiler finds a missing or a wrong one. */
const SYNCHRONOUS: Record<SynchronousName, true> = {
  register: true,
  worker: true,
  start: true,
  isHealthy: true,
  recurring: true,
};

type Method = (this: unknown, ...args: unknown[]) => unknown;

/** What the loop below makes of a class: the compiler cannot see it, and the type tests hold both together. */
type DelegateClass = abstract new <Id>() => MonqueApi<Id>;

abstract class Delegate {
  abstract readonly monque: Monque<unknown>;
}

for (const name of new Set([...publicNames(Monque.prototype), ...Object.keys(SYNCHRONOUS)])) {
  Object.defineProperty(Delegate.prototype, name, { ...memberFor(name), configurable: true });
}

/** Base of a class with a `monque`: every member of Monque, passed on to it. So the API is complete by construction. */
export const MonqueDelegate = Delegate as unknown as DelegateClass;

/** Names of methods on a prototype and its ancestors; those that begin with an underscore are the emitter's own affair. */
function publicNames(prototype: object): PropertyKey[] {
  const above: unknown = Object.getPrototypeOf(prototype);
  const own = Reflect.ownKeys(prototype).filter(
    (name) => name !== 'constructor' && !(typeof name === 'string' && name.startsWith('_')),
  );
  return above === null || above === Object.prototype
    ? own
    : [...new Set([...own, ...publicNames(above as object)])];
}

function memberFor(name: PropertyKey): PropertyDescriptor {
  if (!isMethod(name)) {
    return {
      get(this: Delegate) {
        return Reflect.get(this.monque, name);
      },
    };
  }
  const call: Method = function (this: unknown, ...args) {
    const { monque } = this as Delegate;
    return Reflect.apply(Reflect.get(monque, name) as Method, monque, args);
  };
  const answersAtOnce = Object.hasOwn(SYNCHRONOUS, name) || name in EventEmitter.prototype;
  const value: Method = answersAtOnce
    ? call
    : async function (this: unknown, ...args) {
        return Reflect.apply(call, this, args);
      };
  return { value, writable: true };
}

/** Looked up without calling getters: there is no instance behind the prototype. */
function isMethod(name: PropertyKey): boolean {
  for (let each: object | null = Monque.prototype; each !== null; each = Object.getPrototypeOf(each)) {
    const found = Object.getOwnPropertyDescriptor(each, name);
    if (found !== undefined) return typeof found.value === 'function';
  }
  return false;
}
