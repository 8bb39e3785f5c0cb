import type { MonqueOptions } from '@monque/core';
import { type Script, spawnScript, testDatabase } from '@monque/test-servers/vitest';
import { sharedDatabase } from '../processes/shared-database.js';
import {
  type ProcessSettings,
  SETTINGS_VARIABLE,
  type SharedAddress,
  type SharedStore,
} from './fixtures/settings.js';

/** What the fixture `worker.ts` tells. */
export type WorkerMessage =
  | { readonly type: 'ready' }
  | { readonly type: 'handled' | 'complete'; readonly id: string }
  | { readonly type: 'failed'; readonly text: string };

type MessageOf<T extends WorkerMessage['type']> = Extract<WorkerMessage, { type: T }>;

/** A database that several processes use, for the tests of one `describe`, at whose top it is to be called. */
export function sharedAddress(kind: SharedStore): SharedAddress {
  if (kind !== 'mongodb') return { kind, address: sharedDatabase(kind).address };
  const { uri, name } = testDatabase();
  return { kind, address: uri, name };
}

/** Starts a process that works, and waits until it takes jobs. */
export async function startWorker(
  address: SharedAddress,
  names: readonly string[],
  options: MonqueOptions,
): Promise<Script> {
  const settings: ProcessSettings = { ...address, names, options };
  const worker = spawnScript(new URL('./fixtures/worker.ts', import.meta.url), {
    env: { [SETTINGS_VARIABLE]: JSON.stringify(settings) },
  });
  await worker.waitFor<WorkerMessage>(({ type }) => type === 'ready', 60_000);
  return worker;
}

/** The messages of a kind so far. */
export function saidBy<T extends WorkerMessage['type']>(workers: readonly Script[], type: T): MessageOf<T>[] {
  const messages = workers.flatMap((worker) => worker.messages as WorkerMessage[]);
  return messages.filter((message): message is MessageOf<T> => message.type === type);
}
