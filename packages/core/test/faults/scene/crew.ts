import { join } from 'node:path';
import { setTimeout } from 'node:timers/promises';
import { Script } from '@monque/test-servers/vitest';
import type { MonqueOptions } from '../../../src/options/monque-options.js';
import { type ProcessSettings, SETTINGS_VARIABLE } from '../../processes/fixtures/settings.js';
import type { Chance } from './chance.js';

/** How the processes of a crew work. */
export interface CrewSettings {
  readonly uri: string;
  readonly database: string;
  /** Where the ledgers are kept. */
  readonly folder: string;
  readonly options: MonqueOptions;
}

/** How one process differs from the others. */
export interface HireOptions {
  /** The program that it runs; the worker of `fixtures/` unless given. */
  readonly program?: URL;
  /** Another way to the same server. */
  readonly uri?: string;
  readonly env?: Readonly<Record<string, string>>;
  readonly options?: MonqueOptions;
}

/** A process that works. */
export interface Worker {
  readonly name: string;
  readonly script: Script;
}

const WORKER = new URL('../fixtures/worker.ts', import.meta.url);

/** How long a process may take until it works, in milliseconds. */
const START_MS = 60_000;

/** Processes that work on one database, and what was done to them. */
export class Crew implements AsyncDisposable {
  /** Names of those to which something was done that may cost them their claims. */
  readonly harmed = new Set<string>();
  readonly #settings: CrewSettings;
  readonly #all: Worker[] = [];
  #living: Worker[] = [];

  constructor(settings: CrewSettings) {
    this.#settings = settings;
  }

  /** Those that run and take jobs. */
  get ready(): readonly Worker[] {
    return this.#living.filter((worker) => said(worker, 'ready') > 0);
  }

  /** Starts a process, and does not wait for it. */
  hire({ program = WORKER, uri = this.#settings.uri, env = {}, options = {} }: HireOptions = {}): Worker {
    const name = `worker-${this.#all.length + 1}`;
    const settings: ProcessSettings = {
      uri,
      database: this.#settings.database,
      options: { ...this.#settings.options, ...options },
    };
    const script = new Script(program, {
      args: [name, join(this.#settings.folder, `${name}.jsonl`)],
      env: { [SETTINGS_VARIABLE]: JSON.stringify(settings), ...env },
    });
    const worker = { name, script };
    this.#all.push(worker);
    this.#living.push(worker);
    return worker;
  }

  /** Starts processes, and waits until all of them take jobs and see changes. */
  async start(count: number, options?: HireOptions): Promise<Worker[]> {
    const workers = Array.from({ length: count }, () => this.hire(options));
    for (const worker of workers) {
      await told(worker, 'ready');
      await told(worker, 'connected');
    }
    return workers;
  }

  /** Resolves when all that run take jobs. */
  async allReady(): Promise<void> {
    for (const worker of this.#living) await told(worker, 'ready');
  }

  /** Kills a process: what it held is lost to it. */
  async kill({ name, script }: Worker): Promise<void> {
    this.harmed.add(name);
    this.#living = this.#living.filter((one) => one.name !== name);
    script.kill('SIGKILL');
    await script.exited;
  }

  /** Kills one of those that take jobs, as soon as there is one, and starts another in its place. */
  async replaceOne(chance: Chance, mayDie: (worker: Worker) => boolean = () => true): Promise<void> {
    const deadline = performance.now() + START_MS;
    let choices: readonly Worker[] = [];
    while (choices.length === 0) {
      if (performance.now() > deadline) throw new Error(`No process has begun to work within ${START_MS} ms`);
      await setTimeout(20);
      choices = this.ready.filter(mayDie);
    }
    await this.kill(chance.pick(choices));
    this.hire();
  }

  /** Lets nothing happen in a process for a while, as a handler would that computes and computes. */
  block({ name, script }: Worker, ms: number): void {
    this.harmed.add(name);
    script.send({ block: ms });
  }

  /** Asks a process to stop; resolves with its exit code. */
  async dismiss({ name, script }: Worker): Promise<number | null> {
    this.#living = this.#living.filter((one) => one.name !== name);
    script.kill('SIGTERM');
    return (await script.exited).code;
  }

  /** Ends all of them, the hard way. */
  async [Symbol.asyncDispose](): Promise<void> {
    await Promise.all(this.#all.map(({ script }) => script[Symbol.asyncDispose]()));
  }
}

interface Said {
  readonly type: string;
}

/** How often a process has said something. */
export function said({ script }: Worker, type: string): number {
  return (script.messages as Said[]).filter((message) => message.type === type).length;
}

/** Resolves when a process has said something this often. */
export async function told(worker: Worker, type: string, times = 1): Promise<void> {
  await worker.script.waitFor(() => said(worker, type) >= times, START_MS);
}
