import { Monque } from '@monque/core';
import { describe, expect, test } from 'vitest';
import { testedDatabases } from './databases.js';
import { closeStores, opening, toClaim, toInsert } from './open-stores.js';

closeStores();

const MAPPED = 'MyApp.Jobs.SendEmail, MyApp, Version=1.0.0.0';
const UNMAPPED = 'MyApp.Jobs.Report, MyApp, Version=1.0.0.0';

for (const database of testedDatabases()) {
  describe.skipIf(!database.available)(`Retention on ${database.name}`, () => {
    test('removes what it maps, and leaves what nothing maps as it is', async () => {
      const store = await opening(database.store());
      const wants = [UNMAPPED, MAPPED, 'report'].map((name) => ({ name, limit: 10 }));
      await store.insert(wants.map(({ name }) => toInsert({ name })));
      const request = await toClaim(store, { wants });
      const { jobs } = await store.claim(request);
      const at = await store.now();
      await store.settle({
        at,
        items: jobs.map((job) => ({
          job,
          token: request.token,
          startedAt: at,
          outcome: { type: 'completed' },
        })),
      });

      const monque = new Monque(database.store({ typeNames: { 'MyApp.Jobs.SendEmail': 'send-email' } }), {
        jobRetention: { completed: 0, interval: 50 },
      });
      await monque.initialize();
      monque.start();
      await expect
        .poll(() => monque.getJobs().then((all) => all.map(({ name }) => name)), { timeout: 5_000 })
        .toEqual([UNMAPPED]);
      await monque.close();
    });
  });
}
