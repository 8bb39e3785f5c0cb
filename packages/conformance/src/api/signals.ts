import type { EventEmitter } from 'node:events';
import type { Monque, MonqueEventMap } from '@monque/core';

type Events = MonqueEventMap<unknown>;
type Payload<K extends keyof Events> = Events[K][0];

const DEADLINE_MS = 8_000;

/** Resolves with the next event of a kind that fits, and rejects when none comes in time. */
export function nextEvent<K extends keyof Events>(
  monque: Monque<unknown>,
  event: K,
  fits: (payload: Payload<K>) => boolean = () => true,
): Promise<Payload<K>> {
  const emitter: EventEmitter = monque;
  return new Promise((resolve, reject) => {
    const listener = (payload: Payload<K>) => {
      if (!fits(payload)) return;
      clearTimeout(timer);
      emitter.off(event, listener);
      resolve(payload);
    };
    const timer = setTimeout(() => {
      emitter.off(event, listener);
      reject(new Error(`No ${event} within ${DEADLINE_MS} ms`));
    }, DEADLINE_MS);
    emitter.on(event, listener);
  });
}

/** What `storing` answers, once an instance that runs has begun with a job of it. */
export async function whenStarted<T>(monque: Monque<unknown>, storing: Promise<T>): Promise<T> {
  const [stored] = await Promise.all([storing, nextEvent(monque, 'job:start')]);
  return stored;
}

/** Collects the events of a kind. */
export function collect<K extends keyof Events>(monque: Monque<unknown>, event: K): Payload<K>[] {
  const emitter: EventEmitter = monque;
  const seen: Payload<K>[] = [];
  emitter.on(event, (payload: Payload<K>) => seen.push(payload));
  return seen;
}

/** A door that handlers wait at until a test opens it. */
export interface Gate {
  readonly opened: Promise<void>;
  open(): void;
}

export function gate(): Gate {
  let open = () => {};
  const opened = new Promise<void>((resolve) => {
    open = resolve;
  });
  return { opened, open };
}

/** Rejects when a promise takes longer than it may. */
export async function within<T>(milliseconds: number, promise: Promise<T>): Promise<T> {
  let timer: NodeJS.Timeout | undefined;
  const late = new Promise<never>((_, reject) => {
    timer = setTimeout(() => reject(new Error(`Not done within ${milliseconds} ms`)), milliseconds);
  });
  try {
    return await Promise.race([promise, late]);
  } finally {
    clearTimeout(timer);
  }
}
