import { readFile } from 'node:fs/promises';
import { testDatabase } from '@monque/test-servers/vitest';
import type { IndexDescription } from 'mongodb';
import { expect, test } from 'vitest';
import { Monque } from '../../src/monque.js';

const { db } = testDatabase();
const guide = new URL('../../../../docs/deployment.md', import.meta.url);

/** The list that the guide tells people to create by hand. */
async function indexesOfGuide(): Promise<IndexDescription[]> {
  const text = await readFile(guide, 'utf8');
  const [, constants, list] =
    /(const pending = .*?)\nawait .*?\.createIndexes\((\[.*?\])\);/s.exec(text) ?? [];
  expect(list).toBeDefined();
  return new Function(`${constants}; return ${list};`)();
}

test('the indexes of the deployment guide are those that initialize() makes, no more and no less', async () => {
  const jobs = db.collection('monque_jobs');
  await jobs.createIndexes(await indexesOfGuide());
  const byHand = await jobs.indexes();

  await using monque = new Monque(db, { jobRetention: { completed: 1_000 } });
  await monque.initialize();
  expect(await jobs.indexes()).toEqual(byHand);

  await jobs.drop();
  await using fresh = new Monque(db, { jobRetention: { completed: 1_000 } });
  await fresh.initialize();
  const sorted = (indexes: Awaited<ReturnType<typeof jobs.indexes>>) =>
    indexes.map(({ background: _, ...index }) => index).sort((a, b) => (a.name! < b.name! ? -1 : 1));
  expect(sorted(await jobs.indexes())).toEqual(sorted(byHand));
});
