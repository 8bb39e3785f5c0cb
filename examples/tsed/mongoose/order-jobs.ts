import { type Job, type JobContext, PermanentError } from '@monque/core';
import { Cron, Worker, WorkerController } from '@monque/tsed';
import { Inject, ProviderScope, Scope } from '@tsed/di';
import type { MongooseModel } from '@tsed/mongoose';
import { Mailer } from './mailer.js';
import { Order } from './order.js';
import { UnitOfWork } from './unit-of-work.js';

/** REQUEST-scoped, because what it depends on is: each run has a controller and a unit of work of its own. */
@WorkerController('orders')
@Scope(ProviderScope.REQUEST)
export class OrderJobs {
  constructor(
    @Inject(Order) private readonly orders: MongooseModel<Order>,
    private readonly mailer: Mailer,
    private readonly work: UnitOfWork,
  ) {}

  @Worker('confirm', { concurrency: 10, timeout: 30_000 })
  async confirm({ data }: Job<{ orderId: string }>, { log }: JobContext) {
    const order = await this.work.transaction((session) =>
      this.orders.findByIdAndUpdate(
        data.orderId,
        { status: 'confirmed' },
        { session, returnDocument: 'after' },
      ),
    );
    if (order === null) throw new PermanentError(`There is no order ${data.orderId}`);
    await this.mailer.send(order.customer, `Your order of ${order.total} is confirmed`);
    await log(`Told ${order.customer}`);
    return { confirmed: data.orderId };
  }

  /** At six in the morning, once however many processes there are. */
  @Cron('0 6 * * *', { timezone: 'Europe/Berlin' })
  async dailyReport() {
    const placed = await this.orders.countDocuments({ status: 'placed' });
    await this.mailer.send('owner@example.com', `${placed} orders wait`);
  }
}
