import { testDatabase } from '@monque/test-servers/vitest';
import { MongoClient } from 'mongodb';
import { describe, expect, test } from 'vitest';
import { Monque } from '../../src/monque.js';

const SECONDS = 6;
/** What counts as a few commands per second: four for jobs where there is no stream, and about one for templates. */
const A_FEW = 6;

describe.concurrent.each(['replicaSet', 'standalone'] as const)('On a %s', (topology) => {
  const { uri, name } = testDatabase(topology);

  test.each([1, 200])('an idle process with %i names sends a few commands per second', async (names) => {
    // The driver's own monitoring of servers is not among the commands that it reports.
    await using client = new MongoClient(uri, { monitorCommands: true });
    await using monque = new Monque(client.db(name), { collectionName: `jobs_${names}` });
    for (let index = 0; index < names; index++) monque.register(`name-${index}`, () => {});
    await monque.initialize();
    const sent: string[] = [];
    monque.start();
    // Whatever a start brings is over by then.
    await new Promise((resolve) => setTimeout(resolve, 1_000));
    client.on('commandStarted', ({ commandName }) => sent.push(commandName));
    await new Promise((resolve) => setTimeout(resolve, SECONDS * 1_000));
    const perSecond = sent.length / SECONDS;
    console.log(
      `idle, ${topology}, ${names} names: ${perSecond.toFixed(1)} commands per second (${[...new Set(sent)]})`,
    );
    expect(monque.isHealthy()).toBe(true);
    expect(perSecond).toBeLessThanOrEqual(A_FEW);
  });
});
