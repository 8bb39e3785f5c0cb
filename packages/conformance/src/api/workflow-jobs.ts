import type { EnqueueItem, Monque } from '@monque/core';

/** Registers jobs that end as their data says, and notes which of them ran. */
export function registerWork(monque: Monque<unknown>): unknown[] {
  const ran: unknown[] = [];
  monque.register<string>(
    'work',
    ({ data }) => {
      ran.push(data);
      if (data === 'failed') throw new Error('broken');
      return { from: data };
    },
    { maxRetries: 1 },
  );
  return ran;
}

/** The same, but jobs whose data is `fail` fail only while they are to. */
export function registerFlaky(monque: Monque<unknown>): { ran: unknown[]; broken: boolean } {
  const state = { ran: [] as unknown[], broken: true };
  monque.register<unknown>(
    'work',
    ({ data }) => {
      state.ran.push(data);
      if (data === 'fail' && state.broken) throw new Error('broken');
    },
    { maxRetries: 1 },
  );
  return state;
}

/** Jobs called `work` with this data. */
export function items(...data: readonly unknown[]): EnqueueItem[] {
  return data.map((one) => ({ name: 'work', data: one }));
}
