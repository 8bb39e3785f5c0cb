import { testDatabase } from '@monque/test-servers/vitest';
import { MonqueService } from '@monque/tsed';
import { inject } from '@tsed/di';
import { MongooseService } from '@tsed/mongoose';
import { PlatformExpress } from '@tsed/platform-express';
import { PlatformTest } from '@tsed/platform-http/testing';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { Mailer } from '../mongoose/mailer.js';
import { Server } from '../mongoose/server.js';
import { request } from './request.js';

const database = testDatabase();

beforeEach(
  PlatformTest.bootstrap(Server, {
    adapter: PlatformExpress,
    mongoose: [{ id: 'default', url: database.uri, connectionOptions: { dbName: database.name } }],
  }),
);
afterEach(() => PlatformTest.reset());

test('an order that is placed is confirmed by a job', async () => {
  const placed = await request('POST', '/orders', { customer: 'ada@example.com', total: 42 });
  expect(placed.status).toBe(202);
  const { orderId, jobId } = placed.body as { orderId: string; jobId: string };

  const job = await inject(MonqueService).waitForJob(jobId, { timeout: 20_000 });
  expect(job).toMatchObject({ status: 'completed', result: { confirmed: orderId } });
  expect(inject(Mailer).sent).toEqual([{ to: 'ada@example.com', subject: 'Your order of 42 is confirmed' }]);
  expect(await request('GET', `/orders/${orderId}`)).toEqual({ status: 200, body: { status: 'confirmed' } });
});

test('an order that is not valid leaves no job behind', async () => {
  expect(await request('POST', '/orders', { total: 42 })).toMatchObject({ status: 400 });
  expect(await inject(MonqueService).getJobs({ name: 'orders.confirm', status: 'pending' })).toEqual([]);
});

test('a job for an order that is gone fails for good, at once', async () => {
  const service = inject(MonqueService);
  const { _id } = await service.enqueue('orders.confirm', { orderId: '0'.repeat(24) });
  const job = await service.waitForJob(_id, { timeout: 20_000 });
  expect(job).toMatchObject({
    status: 'failed',
    failCount: 1,
    failReason: `There is no order ${'0'.repeat(24)}`,
  });
});

test('the daily report is scheduled once, and can be run by hand', async () => {
  const service = inject(MonqueService);
  const [report, ...others] = await service.getJobs({ name: 'orders.dailyReport' });
  expect(others).toEqual([]);
  expect(report).toMatchObject({ repeatInterval: '0 6 * * *', timezone: 'Europe/Berlin', status: 'pending' });
  await inject(MongooseService).get()!.collection('orders').deleteMany({});

  await service.stop();
  await service.rescheduleJob(report!._id, new Date());
  expect(await service.drain()).toMatchObject({ completed: 1 });
  expect(inject(Mailer).sent).toEqual([{ to: 'owner@example.com', subject: '0 orders wait' }]);
});
