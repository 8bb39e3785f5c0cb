import type { MonqueOptions } from '@monque/core';
import { type Script, spawnScript } from '@monque/test-servers/vitest';
import { type ProcessSettings, SETTINGS_VARIABLE, type StoreAddress } from './fixtures/settings.js';

/** What the fixture `worker.ts` tells. */
export type WorkerMessage =
  | { readonly type: 'ready' | 'begun' }
  | { readonly type: 'started'; readonly id: string }
  | { readonly type: 'report'; readonly handled: readonly string[] }
  | { readonly type: 'error' | 'failed'; readonly text: string }
  | { readonly type: 'recovered'; readonly count: number };

type MessageOf<T extends WorkerMessage['type']> = Extract<WorkerMessage, { type: T }>;

/** Starts processes that work, and waits until all of them take jobs. */
export async function startWorkers(
  count: number,
  address: StoreAddress,
  options: MonqueOptions = {},
): Promise<Script[]> {
  const settings: ProcessSettings = { ...address, options };
  const workers = Array.from({ length: count }, () =>
    spawnScript(new URL('./fixtures/worker.ts', import.meta.url), {
      env: { [SETTINGS_VARIABLE]: JSON.stringify(settings) },
    }),
  );
  await Promise.all(workers.map((worker) => toldBy(worker, 'ready')));
  return workers;
}

/** Resolves with the first message of a kind, past or future. */
export function toldBy<T extends WorkerMessage['type']>(worker: Script, type: T): Promise<MessageOf<T>> {
  return worker.waitFor<WorkerMessage>((message) => message.type === type, 60_000) as Promise<MessageOf<T>>;
}

/** The messages of a kind so far. */
export function saidBy<T extends WorkerMessage['type']>(workers: readonly Script[], type: T): MessageOf<T>[] {
  const messages = workers.flatMap((worker) => worker.messages as WorkerMessage[]);
  return messages.filter((message): message is MessageOf<T> => message.type === type);
}

/** The ids of the jobs that each process has handled; to be asked for once. */
export function reportsOf(workers: readonly Script[]): Promise<readonly string[][]> {
  for (const worker of workers) worker.send('report');
  return Promise.all(workers.map(async (worker) => [...(await toldBy(worker, 'report')).handled]));
}
