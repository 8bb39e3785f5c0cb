/** The demo behind `npm start`: an application with things to do, and Monque that does them. */
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setInterval } from 'node:timers/promises';
import { Monque } from '@monque/core';
import { sqlite } from '@monque/sql';
import { registerHandlers } from './jobs.js';
import { Narrator } from './narrator.js';
import { bold, dim } from './paint.js';
import { makeTraffic } from './traffic.js';

const STATS_INTERVAL_MS = 5_000;

/** Aborts at the first Ctrl-C, or when a supervisor asks us to end. A second Ctrl-C ends at once. */
function stopSignal(): AbortSignal {
  const stop = new AbortController();
  let first = 0;
  const onSignal = () => {
    first ||= performance.now();
    stop.abort();
    // One Ctrl-C may arrive twice: from the terminal, and passed on by npm.
    if (performance.now() - first > 500) process.exit(130);
  };
  process.on('SIGINT', onSignal);
  process.on('SIGTERM', onSignal);
  return stop.signal;
}

/** In a file of this run's own, which is gone after it. */
async function demo(stop: AbortSignal): Promise<void> {
  const folder = await mkdtemp(join(tmpdir(), 'monque-demo-'));
  try {
    await runOn(join(folder, 'jobs.db'), stop);
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}

async function runOn(file: string, stop: AbortSignal): Promise<void> {
  console.log(`\n${bold('Monque demo')}: emails, reports, payments and a schedule, on SQLite\n`);
  console.log(`  database   ${file} ${dim('(this run only)')}`);
  console.log(`  look next  examples/demo/jobs.ts holds the jobs, docs/index.md leads to the guides;`);
  console.log(`             sqlite3 ${file} 'SELECT TypeName, State, COUNT(*) FROM Jobs GROUP BY 1, 2'`);
  console.log(`             shows their rows while they change, docs/sql-queries.md has more of that`);
  console.log(`  stop       Ctrl-C waits for running jobs; a second one does not\n`);

  const narrator = new Narrator();
  await using monque = new Monque(sqlite({ file }), { statsCacheTtlMs: 0 });
  narrator.listenTo(monque);
  registerHandlers(monque);
  await monque.initialize();
  monque.start();

  await Promise.all([makeTraffic(monque, narrator, stop), repeatStats(monque, narrator, stop)]);

  console.log('');
  narrator.say(bold('stopping: no new jobs are started, running ones are waited for'));
  await monque.stop();
  await narrator.sayStats(monque);
  console.log(`\n${narrator.summary()} Everything was stopped cleanly.\n`);
}

async function repeatStats(monque: Monque<string>, narrator: Narrator, stop: AbortSignal): Promise<void> {
  try {
    for await (const _ of setInterval(STATS_INTERVAL_MS, undefined, { signal: stop }))
      await narrator.sayStats(monque);
  } catch (error) {
    if (!stop.aborted) throw error;
  }
}

await demo(stopSignal());
