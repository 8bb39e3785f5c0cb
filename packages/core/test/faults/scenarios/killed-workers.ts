import { setTimeout } from 'node:timers/promises';
import { expect, test } from 'vitest';
import { rounds, timeLimit } from '../scene/chance.js';
import type { Cluster } from '../scene/cluster.js';
import { said, told } from '../scene/crew.js';

const ROUNDS = rounds(20);

export function killedWorkers(cluster: Cluster): void {
  test(
    `processes that are killed at ${ROUNDS} random moments lose no job`,
    async () => {
      await using scene = await cluster.scene({
        title: 'killed workers',
        options: { lockTimeout: 5_000, workerConcurrency: 10, baseRetryInterval: 20 },
      });
      const { crew, producer, chance } = scene;
      await crew.start(3);
      await producer.start();
      for (let round = 0; round < ROUNDS; round++) {
        await setTimeout(chance.between(0, 400));
        await crew.replaceOne(chance);
      }
      // One more that nobody replaces: those that live take over what it held, and no start does so for them.
      await crew.allReady();
      const last = chance.pick(crew.ready);
      await producer.enqueue(20, { ms: 2_000 });
      await told(last, 'begin', said(last, 'begin') + 5);
      await crew.kill(last);
      const { repeated } = await scene.expectPromisesKept();
      // Otherwise no kill has ever met a running job.
      expect(repeated).toBeGreaterThan(0);
    },
    timeLimit(150_000),
  );
}
