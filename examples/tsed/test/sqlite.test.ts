import { MonqueService } from '@monque/tsed';
import { inject } from '@tsed/di';
import { PlatformExpress } from '@tsed/platform-express';
import { PlatformTest } from '@tsed/platform-http/testing';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { DATABASE, Mailer, Server } from '../sqlite.js';
import { request } from './request.js';

beforeEach(async () => {
  process.env.SHOP_FILE = ':memory:';
  await PlatformTest.bootstrap(Server, { adapter: PlatformExpress })();
});
afterEach(async () => {
  const database = inject(DATABASE);
  await PlatformTest.reset();
  database.close();
});

test('an order that is placed is confirmed by a job', async () => {
  const placed = await request('POST', '/orders', { customer: 'ada@example.com', total: 42 });
  expect(placed.status).toBe(202);
  const { orderId, jobId } = placed.body as { orderId: number; jobId: string };

  const job = await inject(MonqueService).waitForJob(jobId, { timeout: 20_000 });
  expect(job).toMatchObject({ status: 'completed', result: { confirmed: orderId } });
  expect(inject(Mailer).sent).toEqual([{ to: 'ada@example.com', subject: 'Your order of 42 is confirmed' }]);
  expect(await request('GET', `/orders/${orderId}`)).toEqual({ status: 200, body: { status: 'confirmed' } });
});

test('jobs lie in the tables beside the orders', async () => {
  await request('POST', '/orders', { customer: 'ada@example.com', total: 42 });
  const { count } = inject(DATABASE)
    .prepare(`SELECT count(*) AS count FROM Jobs WHERE TypeName = 'orders.confirm'`)
    .get() as { count: number };
  expect(count).toBe(1);
});

test('a job for an order that is gone fails for good, at once', async () => {
  const service = inject(MonqueService);
  const { _id } = await service.enqueue('orders.confirm', { orderId: 404 });
  const job = await service.waitForJob(_id, { timeout: 20_000 });
  expect(job).toMatchObject({ status: 'failed', failCount: 1, failReason: 'There is no order 404' });
});

test('the daily report is scheduled once, and can be run by hand', async () => {
  const service = inject(MonqueService);
  const [report, ...others] = await service.getJobs({ name: 'orders.dailyReport' });
  expect(others).toEqual([]);
  await service.stop();
  await service.rescheduleJob(report!._id, new Date());
  expect(await service.drain()).toMatchObject({ completed: 1 });
  expect(inject(Mailer).sent).toEqual([{ to: 'owner@example.com', subject: '0 orders wait' }]);
});
