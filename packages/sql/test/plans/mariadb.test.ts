import { mariadb } from '@monque/sql';
import { mariadbDatabase } from '@monque/test-servers/vitest';
import { beforeAll, describe, expect, test } from 'vitest';
import { FUTURE, PAST, toClaim } from '../stores/open-stores.js';
import { RecordedMariadb } from './recorded-mariadb.js';

const { available, pool } = mariadbDatabase();
const MANY = 20_000;

describe.skipIf(!available)('With many finished, many future and many unwanted jobs, MariaDB', () => {
  const recorded = new RecordedMariadb(pool);
  const store = mariadb(recorded.pool);
  const time = (date: Date) => date.toISOString().slice(0, -1).replace('T', ' ');

  beforeAll(async () => {
    await store.open({ collectionName: '', skipIndexCreation: false, retention: false });
    const fill = async (
      prefix: string,
      name: string,
      state: number,
      due: Date,
      priority: string,
      count: number,
    ) => {
      await pool.query(
        `INSERT INTO \`Jobs\` (\`Id\`, \`TypeName\`, \`Arguments\`, \`State\`, \`CreatedAt\`, \`ScheduledAt\`, \`RetryCount\`, \`MaxRetryCount\`, \`Priority\`)
         SELECT CONCAT(?, seq), ?, '{}', ?, ?, ?, 0, 9, ${priority} FROM seq_1_to_${count}`,
        [prefix, name, state, time(PAST), time(due)],
      );
    };
    await fill('finished-', 'work', 3, PAST, 'NULL', MANY);
    await fill('future-', 'work', 1, FUTURE, 'seq % 4', MANY);
    await fill('unwanted-', 'other', 1, PAST, 'NULL', MANY);
    await fill('due-', 'work', 4, PAST, 'NULL', 300);
    recorded.forget();
  });

  test('claims by ranges of the index, without a sort', async () => {
    const request = await toClaim(store, { total: 50, wants: [{ name: 'work', limit: 50 }] });
    recorded.forget();
    const { jobs } = await store.claim(request);
    expect(jobs).toHaveLength(50);
    const steps = await recorded.steps();
    expect(steps.length).toBeGreaterThan(5);
    for (const { table, key, Extra } of steps) {
      expect(Extra ?? '').not.toContain('filesort');
      if (table === 'Jobs') expect(['IX_Monque_Jobs_Due', 'PRIMARY']).toContain(key);
    }
  });

  test('answers the ends of ranges without reading anything', async () => {
    await store.nextDueAt(['work'], PAST);
    const steps = await recorded.steps();
    const reads = steps.filter(({ table }) => table === 'Jobs');
    expect(steps.some(({ Extra }) => Extra === 'Select tables optimized away')).toBe(true);
    // What is read at all is a single key: whether a due time is missing.
    for (const { key, type } of reads) expect([key, type]).toEqual(['IX_Monque_Jobs_Due', 'ref']);
  });
});
