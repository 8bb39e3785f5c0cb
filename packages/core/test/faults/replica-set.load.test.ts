import { testDatabase } from '@monque/test-servers/vitest';
import { describe } from 'vitest';
import { blockedLoop } from './scenarios/blocked-loop.js';
import { failingCommands } from './scenarios/failing-commands.js';
import { frozenServers } from './scenarios/frozen-servers.js';
import { killedWorkers } from './scenarios/killed-workers.js';
import { lostPrimary } from './scenarios/lost-primary.js';
import { shutdowns } from './scenarios/shutdown.js';
import { wrongClocks } from './scenarios/wrong-clocks.js';
import { faultCluster } from './scene/cluster.js';

const { available } = testDatabase();

describe.skipIf(!available)('On a replica set of three nodes', () => {
  const cluster = faultCluster();
  killedWorkers(cluster);
  lostPrimary(cluster);
  frozenServers(cluster);
  wrongClocks(cluster);
  blockedLoop(cluster);
  failingCommands(cluster);
  shutdowns(cluster);
});
