/**
 * An order, from the payment to the parcel. Each step runs after the one before it, and sees what that one returned; what
 * goes wrong is told to the customer instead.
 *
 *   charge-card ──▶ pick-goods ──▶ ship-parcel
 *        └─ failure ──▶ apologise
 */
import { defineJob, type Monque } from '@monque/core';

interface Order {
  readonly order: number;
}

const chargeCard = defineJob<Order, { receipt: string }>('charge-card', { maxRetries: 1 });
const pickGoods = defineJob<Order, { shelf: string }>('pick-goods');
const shipParcel = defineJob<Order, { parcel: string }>('ship-parcel');
const apologise = defineJob<Order, void>('apologise');

/** Registers a handler for each step. */
export function registerOrderSteps(monque: Monque<string>): void {
  monque.register(chargeCard, ({ data }) => {
    if (data.order % 7 === 0) throw new Error('the card was declined');
    return { receipt: `R-${data.order}` };
  });
  monque.register(pickGoods, ({ data }, { parent }) => {
    const payment = parent?.result as { receipt: string } | undefined;
    console.log(`  order ${data.order}: paid (${payment?.receipt}), goods are picked`);
    return { shelf: `A${data.order}` };
  });
  monque.register(shipParcel, ({ data }, { parent }) => {
    const goods = parent?.result as { shelf: string } | undefined;
    console.log(`  order ${data.order}: shipped, from shelf ${goods?.shelf}`);
    return { parcel: `P-${data.order}` };
  });
  monque.register(apologise, ({ data }, { parent }) => {
    console.log(`  order ${data.order}: we are sorry, ${parent?.failReason}`);
  });
}

/** Places an order: all its steps are stored at once, and only the first can run. Answers the id of the payment. */
export async function placeOrder(monque: Monque<string>, order: number): Promise<string> {
  const payment = await monque.enqueue(chargeCard, { order }, { hold: true });
  const goods = await monque.continueWith(payment._id, pickGoods, { order });
  await monque.continueWith(goods._id, shipParcel, { order });
  await monque.continueWith(payment._id, apologise, { order }, { on: 'failure' });
  // Held until now, so that a crash in between leaves an order that is not paid rather than one that is never shipped.
  await monque.releaseJob(payment._id);
  return payment._id;
}
