import { setTimeout } from 'node:timers/promises';
import { expect, test } from 'vitest';
import { isLong, rounds, timeLimit } from '../scene/chance.js';
import type { Cluster } from '../scene/cluster.js';
import { told } from '../scene/crew.js';
import { Scene } from '../scene/scene.js';

const ROUNDS = rounds(1);
const LOCK_TIMEOUT = 6_000;
const FREEZE = 8_000;
/** Runs in all, of which half end while nothing can be written. */
const RUNS = 12;

export function frozenServers(cluster: Cluster): void {
  test(
    'all nodes frozen for longer than lockTimeout cost nobody a run who lives',
    async () => {
      await using scene = await cluster.scene({
        title: 'frozen servers',
        options: { lockTimeout: LOCK_TIMEOUT, workerConcurrency: RUNS / 3, baseRetryInterval: 20 },
      });
      const workers = await scene.crew.start(3);
      for (let round = 1; round <= ROUNDS; round++) {
        await scene.producer.enqueue(RUNS / 2, { ms: FREEZE / 2 });
        await scene.producer.enqueue(RUNS / 2, { ms: FREEZE + LOCK_TIMEOUT });
        await Promise.all(workers.map((worker) => told(worker, 'begin', (round * RUNS) / 3)));
        for (const node of cluster.nodes) node.kill('SIGSTOP');
        await setTimeout(FREEZE);
        for (const node of cluster.nodes) node.kill('SIGCONT');
        await scene.finish();
      }
      const { repeated } = await scene.expectPromisesKept();
      expect(repeated).toBe(0);
      const aborted = (await scene.ledger()).filter(({ type }) => type === 'aborted');
      expect(aborted).toEqual([]);
    },
    timeLimit(90_000),
  );

  // With one node frozen the server itself takes fifteen seconds to acknowledge a write again.
  if (!isLong) return;
  test(
    'a primary that is frozen until there is another changes nothing when it wakes up',
    async () => {
      await using scene = await Scene.open({
        title: 'frozen primary',
        // The driver gives up a silent server after this much time, and not after forty seconds.
        uri: `${cluster.uri}&heartbeatFrequencyMS=500&connectTimeoutMS=2000`,
        options: { lockTimeout: 10_000, workerConcurrency: 10, baseRetryInterval: 20 },
      });
      const { crew, producer } = scene;
      await crew.start(3);
      await producer.start();
      await producer.hasStored(50);
      for (let round = 0; round < ROUNDS; round++) {
        await cluster.heal();
        const primary = await cluster.primary();
        primary.kill('SIGSTOP');
        await producer.hasStored(producer.acknowledged.size + 10);
        primary.kill('SIGCONT');
        await producer.hasStored(producer.acknowledged.size + 100);
      }
      await scene.expectPromisesKept();
    },
    timeLimit(120_000),
  );
}
