import { setTimeout } from 'node:timers/promises';
import { test } from 'vitest';
import { rounds, timeLimit } from '../scene/chance.js';
import type { Cluster } from '../scene/cluster.js';
import { type CommandFault, failCommands } from '../scene/fail-point.js';
import { Scene } from '../scene/scene.js';

const appName = 'failing-commands';
const WRITES = ['insert', 'update', 'findAndModify'];

/** Each in its turn, to a third of the commands. */
const FAULTS: readonly CommandFault[] = [
  { failCommands: WRITES, errorCode: 14_031, appName },
  { failCommands: [...WRITES, 'find'], errorCode: 11_600, appName },
  {
    failCommands: WRITES,
    writeConcernError: { code: 64, errmsg: 'waiting for replication timed out' },
    appName,
  },
  { failCommands: [...WRITES, 'find'], closeConnection: true, appName },
];
const FAULT_MS = 1_500;

export function failingCommands(cluster: Cluster): void {
  test(
    'writes that fail, on a full disk or after they took effect, lose nothing and let nothing run twice',
    async () => {
      await using scene = await Scene.open({
        title: 'failing commands',
        uri: `${cluster.uri}&appName=${appName}`,
        options: { lockTimeout: 20_000, workerConcurrency: 10, baseRetryInterval: 20 },
      });
      const { crew, producer } = scene;
      await crew.start(2);
      await producer.start();
      for (let round = 0; round < rounds(1); round++) {
        for (const fault of FAULTS) {
          await using _failing = await failCommands(cluster.admin, { activationProbability: 0.3 }, fault);
          await setTimeout(FAULT_MS);
        }
      }
      await producer.hasStored(producer.acknowledged.size + 50);
      await scene.expectPromisesKept();
    },
    timeLimit(120_000),
  );
}
