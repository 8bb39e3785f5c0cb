import { expect, test } from 'vitest';
import { rounds, timeLimit } from '../scene/chance.js';
import type { Cluster } from '../scene/cluster.js';
import { told } from '../scene/crew.js';

const ROUNDS = rounds(1);
const LOCK_TIMEOUT = 3_000;
const JOBS = 8;

export function blockedLoop(cluster: Cluster): void {
  test(
    'what a process ran while its event loop was blocked for longer than lockTimeout ends once, elsewhere',
    async () => {
      await using scene = await cluster.scene({
        title: 'blocked event loop',
        options: { lockTimeout: LOCK_TIMEOUT, workerConcurrency: JOBS / 2 },
      });
      const { crew, producer } = scene;
      await crew.start(1);
      for (let round = 1; round <= ROUNDS; round++) {
        const [blocked] = await crew.start(1);
        await producer.enqueue(JOBS, { ms: LOCK_TIMEOUT });
        await told(blocked!, 'begin', JOBS / 2);
        // When it wakes up its handlers end at once, and their outcomes come too late.
        crew.block(blocked!, 3 * LOCK_TIMEOUT);
        await scene.finish();
        await told(blocked!, 'unblocked');
        await producer.enqueue(JOBS, { ms: 1_000 });
        // It takes part again.
        await told(blocked!, 'begin', JOBS);
        await scene.finish();
        await crew.kill(blocked!);
      }
      const { repeated } = await scene.expectPromisesKept();
      expect(repeated).toBe((ROUNDS * JOBS) / 2);
    },
    timeLimit(90_000),
  );
}
