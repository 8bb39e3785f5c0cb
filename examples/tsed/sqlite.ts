/** The same shop in one file: SQLite for orders and jobs, no Mongoose, no server to run. */
import { fileURLToPath } from 'node:url';
import { type Job, PermanentError } from '@monque/core';
import { sqlite } from '@monque/sql';
import { Cron, MonqueModule, MonqueService, Worker, WorkerController } from '@monque/tsed';
import { Configuration, Controller, Injectable, inject, injectable, ProviderScope, Scope } from '@tsed/di';
import { NotFound } from '@tsed/exceptions';
import { BodyParams, PathParams } from '@tsed/platform-params';
import { Get, Post, Required, Status } from '@tsed/schema';
import '@tsed/ajv';
import { PlatformExpress } from '@tsed/platform-express';
import Database from 'better-sqlite3';
import bodyParser from 'body-parser';

/** The application's own database. Monque keeps its tables in it as well, and closes nothing that it did not open. */
export const DATABASE = injectable(Symbol.for('shop:database'))
  .factory(() => {
    const database = new Database(process.env.SHOP_FILE ?? 'shop.db');
    database.pragma('journal_mode = WAL');
    database.exec(
      'CREATE TABLE IF NOT EXISTS orders (id INTEGER PRIMARY KEY, customer TEXT, total REAL, status TEXT)',
    );
    return database;
  })
  .token();

class Order {
  @Required()
  customer!: string;

  @Required()
  total!: number;
}

@Injectable()
export class Mailer {
  readonly sent: { readonly to: string; readonly subject: string }[] = [];

  send(to: string, subject: string): void {
    this.sent.push({ to, subject });
  }
}

/** One per request and one per run of a job: what it was told to do is done at the end, together. */
@Injectable()
@Scope(ProviderScope.REQUEST)
class UnitOfWork {
  readonly #mails: [to: string, subject: string][] = [];

  constructor(private readonly mailer: Mailer) {}

  mail(to: string, subject: string): void {
    this.#mails.push([to, subject]);
  }

  complete(): void {
    for (const mail of this.#mails.splice(0)) this.mailer.send(...mail);
  }
}

@Controller('/orders')
class OrdersController {
  readonly #database = inject(DATABASE);

  constructor(private readonly monque: MonqueService<string>) {}

  @Post('/')
  @Status(202)
  async place(@BodyParams() { customer, total }: Order) {
    const { lastInsertRowid } = this.#database
      .prepare("INSERT INTO orders (customer, total, status) VALUES (?, ?, 'placed')")
      .run(customer, total);
    const orderId = Number(lastInsertRowid);
    const job = await this.monque.enqueue('orders.confirm', { orderId });
    return { orderId, jobId: job._id };
  }

  @Get('/:id')
  read(@PathParams('id') id: number) {
    const order = this.#database.prepare('SELECT status FROM orders WHERE id = ?').get(id);
    if (order === undefined) throw new NotFound('There is no such order');
    return order;
  }
}

@WorkerController('orders')
@Scope(ProviderScope.REQUEST)
class OrderJobs {
  readonly #database = inject(DATABASE);

  constructor(private readonly work: UnitOfWork) {}

  @Worker('confirm')
  confirm({ data }: Job<{ orderId: number }, string>) {
    const order = this.#database
      .prepare("UPDATE orders SET status = 'confirmed' WHERE id = ? RETURNING customer, total")
      .get(data.orderId) as Order | undefined;
    if (order === undefined) throw new PermanentError(`There is no order ${data.orderId}`);
    this.work.mail(order.customer, `Your order of ${order.total} is confirmed`);
    this.work.complete();
    return { confirmed: data.orderId };
  }

  @Cron('0 6 * * *', { timezone: 'Europe/Berlin' })
  dailyReport() {
    const { placed } = this.#database
      .prepare("SELECT count(*) AS placed FROM orders WHERE status = 'placed'")
      .get() as { placed: number };
    this.work.mail('owner@example.com', `${placed} orders wait`);
    this.work.complete();
  }
}

@Configuration({
  httpPort: process.env.PORT ?? 8083,
  httpsPort: false,
  imports: [MonqueModule, OrderJobs],
  middlewares: [bodyParser.json()],
  mount: { '/': [OrdersController] },
  monque: { dbFactory: () => sqlite({ database: inject(DATABASE) }) },
})
export class Server {}

// Only where this file is the program, and not where a test imports it.
if (process.argv[1] === fileURLToPath(import.meta.url)) {
  const platform = await PlatformExpress.bootstrap(Server);
  await platform.listen();
  for (const signal of ['SIGINT', 'SIGTERM'] as const) process.once(signal, () => platform.stop());
}
