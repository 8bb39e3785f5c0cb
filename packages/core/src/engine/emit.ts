import type { MonqueEventMap } from '../events.js';

/** Tells listeners of an event. Never throws, whatever they do. */
export type Emit = <K extends keyof MonqueEventMap<unknown>>(
  event: K,
  ...payload: MonqueEventMap<unknown>[K]
) => void;
