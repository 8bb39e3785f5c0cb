import { expect, test } from 'vitest';
import type { ClaimRequest } from '../../src/store/claim-types.js';
import { memory } from '../../src/store/memory/memory-store.js';
import { engineOn, withFaults } from './engine-on.js';
import { VirtualHost } from './virtual-host.js';

test('a drain waits for a claim of the started engine that has taken effect and has not been answered', async () => {
  const host = new VirtualHost();
  const inner = memory({ clock: host.trueTime });
  let answer = () => {};
  const answered = new Promise<void>((resolve) => {
    answer = resolve;
  });
  let claims = 0;
  const store = withFaults(inner, {
    claim: async (request: ClaimRequest) => {
      claims += 1;
      const isFirst = claims === 1;
      const result = await inner.claim(request);
      if (isFirst) await answered;
      return result;
    },
  });
  const under = await engineOn(store, host);
  under.register('work', () => {});
  await under.insert('work');
  under.engine.start();
  await host.advance(10);
  let drained: unknown;
  void under.engine.drain().then((result) => {
    drained = result;
  });
  await host.advance(100);
  expect(claims).toBeGreaterThan(1);
  expect(drained).toBeUndefined();
  answer();
  await host.advance(100);
  expect(drained).toMatchObject({ completed: 1 });
});

test('a drain does not ask without a pause while all that is due is in the hands of others', async () => {
  const host = new VirtualHost();
  const inner = memory({ clock: host.trueTime });
  let claims = 0;
  let isLocked = true;
  const store = withFaults(inner, {
    claim: async (request: ClaimRequest) => {
      claims += 1;
      return isLocked ? { jobs: [], more: true } : inner.claim(request);
    },
  });
  const under = await engineOn(store, host);
  under.register('work', () => {});
  await under.insert('work');
  let drained: unknown;
  void under.engine.drain().then((result) => {
    drained = result;
  });
  await host.advance(1_000);
  expect(claims).toBeLessThanOrEqual(201);
  isLocked = false;
  await host.advance(100);
  expect(drained).toMatchObject({ completed: 1 });
});
