import { MonqueService } from '@monque/tsed';
import { Controller, Inject, ProviderScope, Scope } from '@tsed/di';
import { NotFound } from '@tsed/exceptions';
import type { MongooseModel } from '@tsed/mongoose';
import { BodyParams, PathParams } from '@tsed/platform-params';
import { Get, Post, Status } from '@tsed/schema';
import { Order } from './order.js';
import { UnitOfWork } from './unit-of-work.js';

/** Takes orders over HTTP, and leaves the slow part to a job. */
@Controller('/orders')
@Scope(ProviderScope.REQUEST)
export class OrdersController {
  constructor(
    @Inject(Order) private readonly orders: MongooseModel<Order>,
    private readonly monque: MonqueService,
    private readonly work: UnitOfWork,
  ) {}

  @Post('/')
  @Status(202)
  async place(@BodyParams() order: Order) {
    return this.work.transaction(async (session) => {
      const { id: orderId } = await new this.orders(order).save({ session });
      // In the same transaction: there is no order without its job, and no job without its order.
      const job = await this.monque.enqueue('orders.confirm', { orderId }, { session });
      return { orderId, jobId: String(job._id) };
    });
  }

  @Get('/:id')
  async read(@PathParams('id') id: string) {
    const order = await this.orders.findById(id);
    if (order === null) throw new NotFound('There is no such order');
    return { status: order.status };
  }
}
