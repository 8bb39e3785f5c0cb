import { type Script, spawnScript, type TestDatabase } from '@monque/test-servers/vitest';
import type { Document } from 'mongodb';
import type { MonqueOptions } from '../../src/options/monque-options.js';
import { type ProcessSettings, SETTINGS_VARIABLE } from './fixtures/settings.js';

/** What the fixture `worker.ts` tells. */
export type WorkerMessage =
  /** It takes jobs, and sees the changes of others or has fallen back to polling. */
  | { readonly type: 'ready' }
  | { readonly type: 'started'; readonly id: string }
  | { readonly type: 'aborted'; readonly id: string; readonly reason: string }
  | { readonly type: 'error' | 'failed'; readonly text: string }
  | { readonly type: 'recovered'; readonly count: number };

type MessageOf<T extends WorkerMessage['type']> = Extract<WorkerMessage, { type: T }>;

/** How a fixture is to run. */
export interface FixtureOptions {
  readonly options?: MonqueOptions;
  readonly args?: readonly string[];
  readonly env?: Readonly<Record<string, string>>;
}

/** Starts a fixture on the database of this file. */
export function spawnFixture(
  name: string,
  database: Pick<TestDatabase, 'uri' | 'name'>,
  { options = {}, args = [], env = {} }: FixtureOptions = {},
): Script {
  const settings: ProcessSettings = { uri: database.uri, database: database.name, options };
  return spawnScript(new URL(`./fixtures/${name}.ts`, import.meta.url), {
    args,
    env: { [SETTINGS_VARIABLE]: JSON.stringify(settings), ...env },
  });
}

/** Starts processes that work, and waits until all of them take jobs. */
export async function startWorkers(
  count: number,
  database: Pick<TestDatabase, 'uri' | 'name'>,
  options: MonqueOptions = {},
): Promise<Script[]> {
  const workers = Array.from({ length: count }, () => spawnFixture('worker', database, { options }));
  await Promise.all(workers.map((worker) => toldBy(worker, 'ready')));
  return workers;
}

/** Resolves with the first message of a kind, past or future. */
export function toldBy<T extends WorkerMessage['type']>(worker: Script, type: T): Promise<MessageOf<T>> {
  return worker.waitFor<WorkerMessage>((message) => message.type === type) as Promise<MessageOf<T>>;
}

/** The messages of a kind so far. */
export function saidBy<T extends WorkerMessage['type']>(workers: readonly Script[], type: T): MessageOf<T>[] {
  const messages = workers.flatMap((worker) => worker.messages as WorkerMessage[]);
  return messages.filter((message): message is MessageOf<T> => message.type === type);
}

/** One call of a handler. */
export interface LedgerEntry extends Document {
  readonly job: unknown;
  readonly pid: number;
}

/** Every call of a handler in any of the processes. */
export function readLedger({ db }: Pick<TestDatabase, 'db'>): Promise<LedgerEntry[]> {
  return db.collection<LedgerEntry>('ledger').find().toArray();
}
