import type { ContenderProfile } from './contender.js';

/** One import per system: a process loads only the one that it measures. */
const LOADERS: Readonly<Record<string, () => Promise<ContenderProfile>>> = {
  monque: async () => (await import('./monque/mongodb.js')).monqueMongodb,
  'monque-sqlite': async () => (await import('./monque/sqlite.js')).monqueSqlite,
  'monque-postgres': async () => (await import('./monque/postgres.js')).monquePostgres,
  'monque-mariadb': async () => (await import('./monque/mariadb.js')).monqueMariadb,
  agenda: async () => (await import('./agenda.js')).agenda,
  bullmq: async () => (await import('./bullmq.js')).bullmq,
  'pg-boss': async () => (await import('./pg-boss.js')).pgBoss,
  'graphile-worker': async () => (await import('./graphile-worker.js')).graphileWorker,
};

export const CONTENDER_IDS: readonly string[] = Object.keys(LOADERS);

export async function loadContender(id: string): Promise<ContenderProfile> {
  const load = LOADERS[id];
  if (load === undefined) {
    throw new Error(`There is no contender '${id}'. Choose among: ${CONTENDER_IDS.join(', ')}`);
  }
  return load();
}
