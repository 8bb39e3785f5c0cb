import { Monque } from '@monque/core';
import { describe, expect, onTestFinished, test, vi } from 'vitest';
import { documentedQueries } from '../adoption/documented-queries.js';
import { type JobSharpDatabase, makeJobSharpDatabase } from '../adoption/jobsharp-database.js';
import { EMAIL, MAPPED, UNKNOWN } from '../adoption/jobsharp-rows.js';
import { openStore, type StoreAddress } from '../processes/fixtures/settings.js';
import { sharedDatabase } from '../processes/shared-database.js';

const DAY_MS = 86_400_000;
const PATIENCE = { timeout: 30_000, interval: 50 };

/** A template as JobSharp writes it, with whatever the test cares about. */
function template(Id: string, parts: Readonly<Record<string, string | number | boolean | Date | null>> = {}) {
  return {
    Id,
    CronExpression: '0 3 1 1 *',
    JobTypeName: EMAIL,
    JobArguments: '{"to":"Ada"}',
    MaxRetryCount: 3,
    NextExecution: null,
    LastExecution: null,
    IsEnabled: true,
    CreatedAt: new Date(Date.now() - 9 * DAY_MS),
    ...parts,
  };
}

/** An instance on JobSharp's database, and what it said about templates. */
async function instance(address: StoreAddress) {
  const monque = new Monque(openStore(address, { typeNames: MAPPED }), { pollInterval: 100 });
  onTestFinished(() => monque.close());
  const errors: { id: string; error: Error }[] = [];
  monque.on('recurring:error', (event) => errors.push(event));
  await monque.initialize();
  return { monque, errors };
}

describe.each(['sqlite', 'postgres', 'mariadb'] as const)("JobSharp's templates on %s", (dialect) => {
  const table = dialect === 'postgres' ? '"RecurringJobs"' : 'RecurringJobs';
  const column = (name: string) => (dialect === 'postgres' ? `"${name}"` : name);
  const active = async (database: JobSharpDatabase) =>
    (await database.query(documentedQueries(dialect).recurring)).map(({ Id }) => String(Id)).toSorted();

  describe('in a database that it made', () => {
    const address = sharedDatabase(dialect);

    test('fire, and its query for active ones answers what the API says, before and after', {
      timeout: 120_000,
    }, async () => {
      const database = await makeJobSharpDatabase(address);
      const ago = new Date(Math.floor(Date.now() / 1_000) * 1_000 - DAY_MS);
      const ahead = new Date(ago.getTime() + 2 * DAY_MS);
      await database.insert('RecurringJobs', template('due', { NextExecution: ago }));
      await database.insert('RecurringJobs', template('new'));
      await database.insert('RecurringJobs', template('later', { NextExecution: ahead }));
      await database.insert('RecurringJobs', template('off', { NextExecution: ago, IsEnabled: false }));
      await database.insert('RecurringJobs', template('unknown', { JobTypeName: UNKNOWN }));
      const { monque, errors } = await instance(address);
      const activeByApi = async () =>
        (await monque.recurring.list())
          .filter(({ enabled, nextExecution = ago }) => enabled && nextExecution.getTime() <= Date.now())
          .map(({ id }) => id);
      expect(await active(database)).toEqual(['due', 'new', 'unknown']);
      expect(await activeByApi()).toEqual(['due', 'new', 'unknown']);
      expect(await monque.recurring.get('due')).toMatchObject({
        name: 'send-email',
        data: { to: 'Ada' },
        maxRetries: 4,
        timezone: 'UTC',
        misfire: 'once',
      });

      monque.start();
      await vi.waitFor(async () => expect(await active(database)).toEqual(['unknown']), PATIENCE);
      expect(await activeByApi()).toEqual(['unknown']);
      const jobs = await monque.getJobs();
      expect(jobs).toMatchObject([
        { name: 'send-email', data: { to: 'Ada' }, recurringId: 'due', nextRunAt: ago, maxRetries: 4 },
      ]);
      expect(await monque.recurring.get('due')).toMatchObject({ lastExecution: ago });
      // Whose next time was given keeps it; whose type nothing maps says so, once.
      expect(await monque.recurring.get('later')).toMatchObject({ nextExecution: ahead });
      expect(errors.map(({ id, error }) => [id, error.name])).toEqual([
        ['unknown', 'InvalidJobIdentifierError'],
      ]);
    });
  });

  describe('changed by hand', () => {
    const address = sharedDatabase(dialect);

    test('IsEnabled = 0, another cron text and arguments that are no JSON take effect within one poll', {
      timeout: 120_000,
    }, async () => {
      const database = await makeJobSharpDatabase(address);
      const { monque, errors } = await instance(address);
      const fired: { id: string; at: Date }[] = [];
      monque.on('recurring:fired', (event) => fired.push(event));
      const set = (id: string, name: string, value: string) =>
        database.change(`UPDATE ${table} SET ${column(name)} = ${value} WHERE ${column('Id')} = '${id}'`);
      for (const id of ['cron', 'goes on', 'json', 'off']) {
        await monque.recurring.upsert(id, { cron: '* * * * * *', name: 'send-email' });
      }
      monque.start();
      await vi.waitFor(() => expect(new Set(fired.map(({ id }) => id)).size).toBe(4), PATIENCE);
      expect(await set('cron', 'CronExpression', `'0 3 1 1 *'`)).toBe(1);
      expect(await set('json', 'JobArguments', `'{ no JSON'`)).toBe(1);
      expect(await set('off', 'IsEnabled', dialect === 'postgres' ? 'false' : '0')).toBe(1);
      const ended = Date.now();
      const later = () => fired.filter(({ at }) => at.getTime() > ended + 1_500).map(({ id }) => id);
      await vi.waitFor(() => expect(later().length).toBeGreaterThanOrEqual(2), PATIENCE);
      expect(new Set(later())).toEqual(new Set(['goes on']));
      expect(errors.map(({ id, error }) => [id, error.name])).toEqual([['json', 'InvalidPayloadError']]);
      expect((await monque.recurring.get('cron'))?.nextExecution?.getUTCMonth()).toBe(0);

      expect(await set('json', 'JobArguments', `'{"fine":true}'`)).toBe(1);
      await vi.waitFor(() => expect(later()).toContain('json'), PATIENCE);
    });
  });
});

describe('times of others on SQLite', () => {
  const address = sharedDatabase('sqlite');

  test.each([
    ['without a fraction and an offset', '2026-01-02 03:04:05', '2026-01-02T03:04:05.000Z'],
    ['finer than a millisecond', '2026-01-02 03:04:05.1239999+00:00', '2026-01-02T03:04:05.123Z'],
    ['in another zone', '2026-01-02 03:04:05+02:00', '2026-01-02T01:04:05.000Z'],
    ['in the form of ISO', '2026-01-02T03:04:05Z', '2026-01-02T03:04:05.000Z'],
    ['that are none', 'tomorrow', undefined],
  ])('%s are read, and the template moves on', async (_, text, time) => {
    const { monque } = await instance(address);
    const { default: Sqlite } = await import('better-sqlite3');
    const sqlite = new Sqlite(address.address);
    onTestFinished(() => void sqlite.close());
    sqlite.exec('DELETE FROM Jobs; DELETE FROM RecurringJobs');
    sqlite.exec(
      `INSERT INTO RecurringJobs (Id, CronExpression, JobTypeName, MaxRetryCount, NextExecution, IsEnabled, CreatedAt)
       VALUES ('theirs', '0 3 1 1 *', 'work', 2, '${text}', 1, datetime('now'))`,
    );
    monque.start();
    await vi.waitFor(async () => {
      const { nextExecution } = (await monque.recurring.get('theirs')) ?? {};
      expect(nextExecution?.getTime()).toBeGreaterThan(Date.now());
    }, PATIENCE);
    const jobs = await monque.getJobs();
    expect(jobs.map(({ nextRunAt }) => nextRunAt.toISOString())).toEqual(time === undefined ? [] : [time]);
  });
});
