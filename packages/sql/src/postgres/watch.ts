import type { Subscription, WatchObserver } from '@monque/core';
import type pg from 'pg';
import { parseMessage } from './postgres-notices.js';

/** How often to make sure that the connection is still there, in milliseconds: a broken one may say nothing. */
const PING_INTERVAL_MS = 15_000;
/** How long the server may take to answer, in milliseconds. */
const PING_TIMEOUT_MS = 10_000;

/** Subscribes on a connection of its own. Resolves when the server listens: what is committed from then on is told. */
export async function watch(
  connect: () => pg.Client,
  channel: string,
  observer: WatchObserver<string>,
): Promise<Subscription> {
  const client = connect();
  let isOver = false;
  let ping: NodeJS.Timeout | undefined;
  const end = async () => {
    isOver = true;
    clearInterval(ping);
    await client.end().catch(() => undefined);
  };
  const lose = (error: Error) => {
    if (isOver) return;
    void end();
    observer.lost(error);
  };
  // Stays for good: an error that nobody listens to would end the process.
  client.on('error', lose);
  client.on('end', () => lose(new Error('The connection that listens was closed')));
  client.on('notification', ({ payload = '' }) => {
    if (!isOver) tell(observer, payload);
  });
  try {
    await client.connect();
    await client.query(`LISTEN "${channel.replaceAll('"', '""')}"`);
  } catch (error) {
    await end();
    throw error;
  }
  ping = setInterval(() => void checkIn(client).catch(lose), PING_INTERVAL_MS);
  ping.unref();
  return { close: end };
}

function tell(observer: WatchObserver<string>, payload: string): void {
  const message = parseMessage(payload);
  if (message.type === 'due') observer.due(message.nextRunAt, message.name);
  else for (const id of message.ids) observer.stopped(id);
}

async function checkIn(client: pg.Client): Promise<void> {
  let timer: NodeJS.Timeout | undefined;
  const silence = new Promise<never>((_, reject) => {
    timer = setTimeout(reject, PING_TIMEOUT_MS, new Error('The server has stopped to answer'));
    timer.unref();
  });
  try {
    await Promise.race([client.query('SELECT 1'), silence]);
  } finally {
    clearTimeout(timer);
  }
}
