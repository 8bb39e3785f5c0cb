import { expect, test } from 'vitest';
import { rounds, timeLimit } from '../scene/chance.js';
import type { Cluster } from '../scene/cluster.js';
import type { Scene } from '../scene/scene.js';

const ROUNDS = rounds(1);
/** Jobs that must be acknowledged after each loss, before the next. */
const ENOUGH = 60;

const OPTIONS = { lockTimeout: 10_000, workerConcurrency: 10, baseRetryInterval: 20 };

/** Loses the primary again and again while jobs are enqueued and run; no process may lose a claim by it. */
async function loseRepeatedly(scene: Scene, lose: () => Promise<void>): Promise<void> {
  const { crew, producer } = scene;
  await crew.start(3);
  await producer.start();
  await producer.hasStored(ENOUGH);
  for (let round = 0; round < ROUNDS; round++) {
    await lose();
    await producer.hasStored(producer.acknowledged.size + ENOUGH);
  }
  await scene.expectPromisesKept();
}

export function lostPrimary(cluster: Cluster): void {
  test(
    'a primary that is killed takes no job with it, and lets none run twice',
    async () => {
      await using scene = await cluster.scene({ title: 'killed primary', options: OPTIONS });
      await loseRepeatedly(scene, async () => {
        await cluster.heal();
        const primary = await cluster.primary();
        primary.kill('SIGKILL');
        await scene.producer.hasStored(scene.producer.acknowledged.size + ENOUGH);
        expect(await cluster.primary()).not.toBe(primary);
        await primary.restart();
      });
    },
    timeLimit(120_000),
  );

  test(
    'a primary that steps down takes no job with it, and lets none run twice',
    async () => {
      await using scene = await cluster.scene({ title: 'step-down', options: OPTIONS });
      await loseRepeatedly(scene, async () => {
        await cluster.heal();
        await cluster.admin.command({ replSetStepDown: 5, secondaryCatchUpPeriodSecs: 3, force: true });
      });
    },
    timeLimit(120_000),
  );
}
