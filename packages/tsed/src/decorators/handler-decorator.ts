import type { AnyClass } from '../metadata/class-metadata.js';

/** A decorator for methods that take a job, and what comes with it. */
export type HandlerDecorator = <Method extends (job: never, context: never) => unknown>(
  target: object,
  propertyKey: string,
  descriptor: TypedPropertyDescriptor<Method>,
) => void;

/** The class that a decorated method belongs to: legacy decorators get its prototype. */
export function classOfMethod(target: object): AnyClass {
  return (typeof target === 'function' ? target : target.constructor) as AnyClass;
}
