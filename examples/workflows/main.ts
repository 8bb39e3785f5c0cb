/** Orders that go through a pipeline, and an import of 10,000 rows, on a SQLite file of this run's own. */
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Monque } from '@monque/core';
import { sqlite } from '@monque/sql';
import { registerImport, startImport } from './nightly-import.js';
import { placeOrder, registerOrderSteps } from './order-pipeline.js';

const ROWS = 10_000;

const folder = await mkdtemp(join(tmpdir(), 'monque-workflows-'));
try {
  await using monque = new Monque(sqlite({ file: join(folder, 'jobs.db') }));
  registerOrderSteps(monque);
  registerImport(monque);
  await monque.initialize();
  monque.start();

  console.log('Orders');
  const payments = await Promise.all([5, 6, 7].map((order) => placeOrder(monque, order)));
  for (const payment of payments) {
    const tree = await monque.getJobTree(payment);
    const leaves = tree?.children.flatMap(({ job, children }) => [
      job,
      ...children.map((child) => child.job),
    ]);
    for (const { _id } of leaves ?? []) await monque.waitForJob(_id);
  }

  console.log('Import');
  const report = await startImport(monque, '2026-11-15', ROWS);
  await monque.waitForJob(report);
  const [batch] = await monque.listBatches({ limit: 1 });
  console.log(`  batch "${batch?.name}" is complete: ${batch?.outcome}`);
} finally {
  await rm(folder, { recursive: true, force: true });
}
