import { setTimeout } from 'node:timers/promises';
import { type MongodProcess, type MongoServer, mongo } from '@monque/test-servers';
import { type Db, type Document, MongoClient } from 'mongodb';
import { afterAll, beforeAll, beforeEach } from 'vitest';
import { Scene, type SceneOptions } from './scene.js';

/** How long the nodes may take to agree, in milliseconds. */
const HEAL_MS = 90_000;
const PRIMARY = 1;
const SECONDARY = 2;

/** A replica set of three nodes that may be broken in every way, and is put in order again before each test. */
export class Cluster {
  #server: MongoServer | undefined;
  #client: MongoClient | undefined;

  async start(): Promise<void> {
    const args = ['--setParameter', 'enableTestCommands=1'];
    this.#server = await mongo.replicaSet({ nodes: 3, args });
    this.#client = new MongoClient(this.#server.uri);
  }

  async stop(): Promise<void> {
    await this.#client?.close();
    await this.#server?.stop();
  }

  get uri(): string {
    return this.#started.uri;
  }

  get nodes(): readonly MongodProcess[] {
    return this.#server?.processes ?? [];
  }

  /** A scenario on this replica set. */
  scene(options: Omit<SceneOptions, 'uri'>): Promise<Scene> {
    return Scene.open({ uri: this.uri, ...options });
  }

  /** The database for commands about the replica set. */
  get admin(): Db {
    if (this.#client === undefined) throw new Error('The replica set has not been started');
    return this.#client.db('admin');
  }

  async primary(): Promise<MongodProcess> {
    const hello = await this.admin.command({ hello: 1 });
    const primary = this.nodes.find(({ port }) => hello.primary?.endsWith(`:${port}`));
    if (primary === undefined) throw new Error('There is no primary');
    return primary;
  }

  /** Puts the replica set in order: all nodes run, and agree on a primary. */
  async heal(): Promise<void> {
    for (const node of this.nodes) node.kill('SIGCONT');
    await Promise.all(this.nodes.filter(({ pid }) => !isAlive(pid)).map((node) => node.restart()));
    const deadline = performance.now() + HEAL_MS;
    while (!(await this.#isInOrder())) {
      if (performance.now() > deadline) throw new Error(`The nodes have not agreed within ${HEAL_MS} ms`);
      await setTimeout(100);
    }
  }

  async #isInOrder(): Promise<boolean> {
    const status = await this.admin.command({ replSetGetStatus: 1 }).catch(() => undefined);
    const states: unknown[] = status?.members.map(({ state }: Document) => state) ?? [];
    return states.includes(PRIMARY) && states.every((state) => state === PRIMARY || state === SECONDARY);
  }

  get #started(): MongoServer {
    if (this.#server === undefined) throw new Error('The replica set has not been started');
    return this.#server;
  }
}

/** A replica set for the tests beside the call. */
export function faultCluster(): Cluster {
  const cluster = new Cluster();
  beforeAll(() => cluster.start());
  beforeEach(() => cluster.heal());
  afterAll(() => cluster.stop());
  return cluster;
}

function isAlive(pid: number): boolean {
  try {
    return process.kill(pid, 0);
  } catch {
    return false;
  }
}
