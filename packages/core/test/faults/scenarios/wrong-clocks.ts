import { setTimeout } from 'node:timers/promises';
import { expect, test } from 'vitest';
import { rounds, timeLimit } from '../scene/chance.js';
import type { Cluster } from '../scene/cluster.js';

const DAY = 86_400_000;
const WRONG = new URL('../fixtures/worker-with-wrong-clock.ts', import.meta.url);
const ROUNDS = rounds(3);

export function wrongClocks(cluster: Cluster): void {
  test(
    'processes whose clocks are a day off in either direction share the work as others do',
    async () => {
      await using scene = await cluster.scene({
        title: 'wrong clocks',
        options: { lockTimeout: 4_000, workerConcurrency: 10, baseRetryInterval: 20 },
      });
      const { crew, producer, chance } = scene;
      const hireWrong = (shift: number) =>
        crew.start(1, {
          program: WRONG,
          env: { CLOCK_SHIFT_MS: String(shift) },
        });
      await crew.start(1);
      const [[ahead], [behind]] = await Promise.all([hireWrong(DAY), hireWrong(-DAY)]);
      // Longer than lockTimeout: whoever goes by a clock of its own takes them from each other.
      await producer.enqueue(9, { ms: 5_500 });
      await producer.start();
      for (let round = 0; round < ROUNDS; round++) {
        await setTimeout(chance.between(200, 1_000));
        // The right ones only: what a dead process held is left to those that are wrong, too.
        await crew.replaceOne(chance, ({ name }) => name !== ahead?.name && name !== behind?.name);
      }
      await scene.expectPromisesKept();
      const took = new Set((await scene.ledger()).map(({ by }) => by));
      expect(took).toContain(ahead?.name);
      expect(took).toContain(behind?.name);
    },
    timeLimit(90_000),
  );
}
