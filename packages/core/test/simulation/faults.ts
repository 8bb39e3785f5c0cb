import type { Fault } from './network.js';
import type { Random } from './random.js';
import type { Args, Method } from './server.js';

/** An error of the network or of the store. */
export class SimulatedFault extends Error {
  /** @param isOfConnection - Whether nobody knows what the store did, which drivers tell by the name. */
  constructor(message: string, isOfConnection: boolean) {
    super(message);
    this.name = isOfConnection ? 'SimulatedNetworkError' : 'SimulatedError';
  }
}

export function networkError(message: string): SimulatedFault {
  return new SimulatedFault(message, true);
}

export function errorOf(fault: Fault): SimulatedFault {
  return new SimulatedFault(fault, fault !== 'odd answer');
}

/** What a call that fails has done by then: all of it, or the first part of a batch. */
export function partOf<M extends Method>(method: M, args: Args<M>, random: Random): Args<M> {
  const share = random.chance(0.5) ? 1 : random.next();
  const firstOf = <T>(batch: readonly T[]): T[] => batch.slice(0, Math.ceil(batch.length * share));
  switch (method) {
    case 'settle': {
      const [{ at, items }] = args as Args<'settle'>;
      return [{ at, items: firstOf(items) }] as unknown as Args<M>;
    }
    case 'insert': {
      const [inserts, options] = args as Args<'insert'>;
      return [firstOf(inserts), options] as unknown as Args<M>;
    }
    case 'release': {
      const [claims, now] = args as Args<'release'>;
      return [firstOf(claims), now] as unknown as Args<M>;
    }
    default:
      return args;
  }
}
