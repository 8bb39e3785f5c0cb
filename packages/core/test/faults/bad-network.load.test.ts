import { setTimeout } from 'node:timers/promises';
import { testDatabase } from '@monque/test-servers/vitest';
import { describe, expect, test } from 'vitest';
import { BadNetwork } from './scene/bad-network.js';
import { isLong, rounds, timeLimit } from './scene/chance.js';
import { said, told } from './scene/crew.js';
import { Scene } from './scene/scene.js';

const LOCK_TIMEOUT = 4_000;

// One node: nothing but its connections changes.
const { available, uri } = testDatabase();
const { hostname, port } = new URL(uri);

/** Through the bad network, with a driver that gives a silent server up within seconds. */
function through(network: BadNetwork): string {
  return `mongodb://127.0.0.1:${network.port}/?directConnection=true&heartbeatFrequencyMS=500&connectTimeoutMS=2000`;
}

describe.skipIf(!available)('Through a bad network', () => {
  test(
    'connections that are cut, half closed and held back cost nobody a claim, and lose nothing',
    async () => {
      await using network = await BadNetwork.before(Number(port), hostname);
      await using scene = await Scene.open({
        title: 'bad connections',
        uri: through(network),
        options: { lockTimeout: 10_000, workerConcurrency: 10, baseRetryInterval: 20 },
      });
      const { crew, producer, chance } = scene;
      await crew.start(2);
      await producer.start();
      const faults = [
        () => network.cut(),
        () => network.halfClose(),
        async () => {
          network.hold();
          await setTimeout(chance.between(50, 1_000));
          network.pass();
        },
      ];
      for (let round = 0; round < rounds(15); round++) {
        await setTimeout(chance.between(0, 600));
        await chance.pick(faults)();
      }
      await scene.expectPromisesKept();
    },
    timeLimit(120_000),
  );

  test(
    'a process in a black hole loses its claims to others, learns so, and works again afterwards',
    async () => {
      await using network = await BadNetwork.before(Number(port), hostname);
      await using scene = await Scene.open({
        title: 'black hole',
        uri,
        options: { lockTimeout: LOCK_TIMEOUT, workerConcurrency: 5, baseRetryInterval: 20 },
      });
      const { crew, producer } = scene;
      await crew.start(1);
      const [cutOff] = await crew.start(1, { uri: through(network) });
      await producer.start();
      for (let round = 0; round < rounds(1); round++) {
        await producer.enqueue(20, { ms: LOCK_TIMEOUT / 2 });
        await told(cutOff!, 'begin', said(cutOff!, 'begin') + 5);
        crew.harmed.add(cutOff!.name);
        network.swallow();
        await setTimeout(1.5 * LOCK_TIMEOUT);
        network.pass();
        await told(cutOff!, 'begin', said(cutOff!, 'begin') + 5);
      }
      const { repeated } = await scene.expectPromisesKept();
      expect(repeated).toBeGreaterThan(0);
    },
    timeLimit(120_000),
  );

  test(
    'a process whose connections fell into a black hole without a word opens others',
    async () => {
      await using network = await BadNetwork.before(Number(port), hostname);
      await using scene = await Scene.open({
        title: 'silent connections',
        uri: through(network),
        options: { lockTimeout: 15_000, workerConcurrency: 10, baseRetryInterval: 20 },
      });
      const { crew, producer } = scene;
      await crew.start(2);
      await producer.start();
      for (let round = 0; round < rounds(1); round++) {
        await producer.hasStored(producer.acknowledged.size + 50);
        network.swallowOld();
        await producer.hasStored(producer.acknowledged.size + 50);
      }
      await scene.expectPromisesKept();
    },
    timeLimit(120_000),
  );

  // The stream of changes is silent for ten seconds, so that no shorter socketTimeoutMS can be set.
  if (!isLong) return;
  test(
    'with socketTimeoutMS it opens others even where the server seems to be there',
    async () => {
      await using network = await BadNetwork.before(Number(port), hostname);
      await using scene = await Scene.open({
        title: 'silent connections beside a healthy one',
        uri: `${through(network)}&socketTimeoutMS=15000`,
        options: { lockTimeout: 60_000, workerConcurrency: 10, baseRetryInterval: 20 },
      });
      const { crew, producer } = scene;
      await crew.start(2);
      await producer.start();
      await producer.hasStored(50);
      network.swallowWorking();
      await producer.hasStored(producer.acknowledged.size + 50);
      await scene.expectPromisesKept();
    },
    timeLimit(120_000),
  );
});
