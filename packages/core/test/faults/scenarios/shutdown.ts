import { setTimeout } from 'node:timers/promises';
import { describe, expect, test } from 'vitest';
import { rounds, timeLimit } from '../scene/chance.js';
import type { Cluster } from '../scene/cluster.js';
import { told, type Worker } from '../scene/crew.js';
import { type CommandFault, failCommands } from '../scene/fail-point.js';
import { Scene } from '../scene/scene.js';

const appName = 'shutdown';
const JOBS = 20;
/** The server takes its time for every write, so that a stop comes in the middle of one. */
const SLOW_WRITES: CommandFault = {
  failCommands: ['update', 'findAndModify'],
  blockConnection: true,
  blockTimeMS: 1_000,
  appName,
};

export function shutdowns(cluster: Cluster): void {
  describe('a process that is asked to stop', () => {
    const open = (title: string, options = {}) =>
      Scene.open({
        title: `stop ${title}`,
        uri: `${cluster.uri}&appName=${appName}`,
        options: { lockTimeout: 20_000, workerConcurrency: 5, baseRetryInterval: 20, ...options },
      });

    /** Ends in order, with nothing left in its name. */
    async function expectInOrder(scene: Scene, worker: Worker): Promise<void> {
      expect(await scene.crew.dismiss(worker)).toBe(0);
      expect(await scene.jobs.countDocuments({ claimedBy: worker.name })).toBe(0);
    }

    /** Another process does what is left, and nothing again. */
    async function expectTheRestDone(scene: Scene): Promise<void> {
      await scene.crew.start(1);
      const { repeated } = await scene.expectPromisesKept();
      expect(repeated).toBe(0);
    }

    test('while idle ends in order', async () => {
      await using scene = await open('while idle');
      const [worker] = await scene.crew.start(1);
      await expectInOrder(scene, worker!);
      await scene.producer.enqueue(JOBS);
      await expectTheRestDone(scene);
    }, 60_000);

    test('while it claims gives back what it gets', async () => {
      await using scene = await open('while claiming');
      const [worker] = await scene.crew.start(1);
      {
        await using slow = await failCommands(cluster.admin, 'alwaysOn', SLOW_WRITES);
        await scene.producer.enqueue(JOBS);
        await slow.entered();
        await expectInOrder(scene, worker!);
      }
      expect((await scene.ledger()).filter(({ type }) => type === 'begin')).toEqual([]);
      await expectTheRestDone(scene);
    }, 60_000);

    test('while it runs and settles stores every outcome', async () => {
      await using scene = await open('while settling');
      const [worker] = await scene.crew.start(1);
      // As many as it has slots: it claims nothing meanwhile that a stop would wait for.
      await scene.producer.enqueue(5, { ms: 1_000 });
      await told(worker!, 'begin', 5);
      {
        await using slow = await failCommands(cluster.admin, 'alwaysOn', SLOW_WRITES);
        await slow.entered();
        await expectInOrder(scene, worker!);
      }
      await expectTheRestDone(scene);
    }, 60_000);

    test(
      'at random moments leaves nothing behind',
      async () => {
        await using scene = await open('at random moments', { workerConcurrency: 20 });
        const { crew, producer, chance } = scene;
        await producer.start();
        for (let round = 0; round < rounds(2); round++) {
          const worker = crew.hire();
          await told(worker, 'ready');
          await setTimeout(chance.between(0, 600));
          await expectInOrder(scene, worker);
        }
        await expectTheRestDone(scene);
      },
      timeLimit(90_000),
    );

    test('while the database does not answer ends all the same, and its jobs are taken over', async () => {
      await using scene = await open('without a database', { lockTimeout: 4_000, shutdownTimeout: 2_000 });
      const { crew, producer } = scene;
      const workers = await crew.start(2);
      await producer.enqueue(JOBS, { ms: 500 });
      await Promise.all(workers.map((worker) => told(worker, 'begin', 5)));
      for (const node of cluster.nodes) node.kill('SIGSTOP');
      try {
        for (const worker of workers) crew.harmed.add(worker.name);
        const codes = await Promise.all(workers.map((worker) => crew.dismiss(worker)));
        expect(codes).toEqual([0, 0]);
      } finally {
        await cluster.heal();
      }
      await crew.start(1);
      await scene.expectPromisesKept();
    }, 90_000);
  });
}
