import { setTimeout as wait } from 'node:timers/promises';
import { defineJob, type Monque } from '@monque/core';

/** The simplest kind: a name and what it carries. */
export const sendEmail = defineJob<{ to: string; subject: string }, { messageId: string }>('send-email');

/** A long one that tells how far it has come, one at a time. */
export const buildReport = defineJob<{ month: string }, { pages: number }>('build-report', {
  concurrency: 1,
});

/** Enqueued with a unique key: however often it is asked for, one waits. */
export const syncCustomer = defineJob<{ customer: string }, void>('sync-customer', { concurrency: 1 });

/** Fails now and then. Its retries wait 0.5 s, 1 s, 1.5 s; after four attempts it has failed for good. */
export const chargeCard = defineJob<{ order: number; amount: number }, { receipt: string }>('charge-card', {
  maxRetries: 4,
  backoff: { type: 'linear', delay: 500 },
});

/** Runs on a schedule. */
export const cleanSessions = defineJob<Record<string, never>, { removed: number }>('clean-sessions');

/** Registers a handler for each kind. */
export function registerHandlers(monque: Monque<string>): void {
  monque.register(sendEmail, async (job, { signal }) => {
    await wait(100 + Math.random() * 300, undefined, { signal });
    return { messageId: `${job._id}@demo.example` };
  });

  monque.register(buildReport, async (_job, { signal, progress }) => {
    for (const percent of [25, 50, 75, 100]) {
      await wait(900, undefined, { signal });
      await progress(percent, `${percent} of 100 pages`);
    }
    return { pages: 100 };
  });

  monque.register(syncCustomer, async (_job, { signal }) => {
    await wait(1_500, undefined, { signal });
  });

  monque.register(chargeCard, async (job, { attempt, signal }) => {
    await wait(150, undefined, { signal });
    // Every third order is paid at the third attempt, and every seventh never.
    if (job.data.order % 7 === 0) throw new Error('the card was declined');
    if (job.data.order % 3 === 0 && attempt < 3) throw new Error('the payment service timed out');
    return { receipt: `R-${job.data.order}` };
  });

  monque.register(cleanSessions, () => ({ removed: Math.floor(Math.random() * 50) }));
}
