import { setTimeout as wait } from 'node:timers/promises';
import type { Monque } from '@monque/core';
import { buildReport, chargeCard, cleanSessions, sendEmail, syncCustomer } from './jobs.js';
import type { Narrator } from './narrator.js';

const CUSTOMERS = ['ada', 'grace', 'linus'];
const MONTHS = ['January', 'February', 'March', 'April', 'May', 'June'];

/** Plays the application that has things to do: enqueues jobs until the signal aborts. */
export async function makeTraffic(
  monque: Monque<string>,
  narrator: Narrator,
  signal: AbortSignal,
): Promise<void> {
  const schedule = await monque.schedule('* * * * *', cleanSessions, {}, { uniqueKey: 'clean-sessions' });
  narrator.say(`clean-sessions runs every minute, next at ${schedule.nextRunAt.toLocaleTimeString('en-GB')}`);

  for (let second = 0; !signal.aborted; second++) {
    await enqueueFor(second, monque, narrator);
    await wait(1_000, undefined, { signal }).catch(() => {});
  }
}

async function enqueueFor(second: number, monque: Monque<string>, narrator: Narrator): Promise<void> {
  const customer = pick(CUSTOMERS, Math.floor(second / 3));
  await monque.enqueue(chargeCard, { order: second + 1, amount: 10 + (second % 9) * 5 });

  if (second % 2 === 0) {
    await monque.enqueueMany(
      CUSTOMERS.map((name) => ({
        name: sendEmail.name,
        data: { to: `${name}@demo.example`, subject: `News no. ${second / 2 + 1}` },
      })),
    );
  }
  if (second % 3 === 0) {
    // Asked for twice at the same time: both calls answer with the same job.
    const options = { uniqueKey: customer };
    const [first, again] = await Promise.all([
      monque.enqueue(syncCustomer, { customer }, options),
      monque.enqueue(syncCustomer, { customer }, options),
    ]);
    if (first._id === again._id) narrator.say(`sync-customer ${customer} was asked for twice and waits once`);
  }
  if (second % 10 === 0) await monque.enqueue(buildReport, { month: pick(MONTHS, second / 10) });
  if (second % 10 === 5) {
    await monque.enqueue(sendEmail, { to: 'later@demo.example', subject: 'In 5 seconds' }, { delay: 5_000 });
    narrator.say('send-email to later@demo.example is due in 5 seconds');
  }
}

function pick<T>(values: readonly T[], index: number): T {
  return values[index % values.length] as T;
}
