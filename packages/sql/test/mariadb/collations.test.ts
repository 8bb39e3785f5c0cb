import { randomUUID } from 'node:crypto';
import type { JobStore } from '@monque/core';
import { mariadb } from '@monque/sql';
import { mariadbDatabase } from '@monque/test-servers/vitest';
import type { RowDataPacket } from 'mysql2/promise';
import { beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { groupsOf } from '../../src/mariadb/groups.js';
import { send } from '../../src/mariadb/mysql-driver.js';
import { nameCondition } from '../../src/mariadb/name-condition.js';
import { nextText } from '../../src/mariadb/next-text.js';
import { ask, type Operation, runAwaiting } from '../../src/operation.js';
import { jobSharpSchema } from '../migrations/workbench.js';
import { closeStores, FUTURE, opening, PAST, toClaim } from '../stores/open-stores.js';

closeStores();
const time = (date: Date) => date.toISOString().slice(0, -1).replace('T', ' ');

async function claimIds(store: JobStore<string>, name: string): Promise<string[]> {
  const { jobs } = await store.claim(await toClaim(store, { wants: [{ name, limit: 100 }] }));
  return jobs.map(({ _id }) => _id).sort();
}

describe.each(['utf8mb4_unicode_ci', 'utf8mb4_general_ci', 'utf8mb4_bin'])(
  'In a table of JobSharp whose texts are %s',
  (collation) => {
    const { pool } = mariadbDatabase();

    /** A row as JobSharp writes it. */
    const insert = async (typeName: string, due: Date | null = PAST, state = 1): Promise<string> => {
      const id = randomUUID();
      await pool.query(
        `INSERT INTO \`Jobs\` (\`Id\`, \`TypeName\`, \`Arguments\`, \`State\`, \`CreatedAt\`, \`ScheduledAt\`, \`RetryCount\`, \`MaxRetryCount\`)
     VALUES (?, ?, '{}', ?, ?, ?, 0, 3)`,
        [id, typeName, state, time(PAST), due && time(due)],
      );
      return id;
    };

    beforeAll(async () => {
      const schema = jobSharpSchema('mariadb').replaceAll('utf8mb4_general_ci', collation);
      for (const statement of schema.split(/;\s*$/m)) {
        if (statement.trim() !== '') await pool.query(statement);
      }
    });

    beforeEach(async () => {
      await opening(mariadb(pool));
      await pool.query('DELETE FROM `Jobs`');
    });

    test('jobs are found by the beginnings of their type names', async () => {
      const store = await opening(mariadb(pool, { typeNames: { 'My_App.Send|All': 'send' } }));
      const ids = [
        await insert('My_App.Send|All, My, Version=1.0.0.0'),
        await insert('My_App.Send|All, My, Version=2.0.0.0', PAST, 4),
      ];
      for (const text of ['my_app.send|all, My', 'My_App.Send|AllOfThem, My', 'MyXApp.Send|All, My']) {
        await insert(text);
      }
      expect(await claimIds(store, 'send')).toEqual(ids.sort());
      const due = await insert('My_App.Send|All, My, Version=3.0.0.0', FUTURE);
      expect(await store.nextDueAt(['send'], PAST)).toEqual(FUTURE);
      expect(await store.get([due])).toMatchObject([{ name: 'send' }]);
    });

    test('only jobs whose names are the same to the byte are claimed, and waited for', async () => {
      const store = await opening(mariadb(pool));
      const others = ['Greet', 'greet ', 'gréet'];
      for (const other of others) {
        await insert(other);
        await insert(other, null);
        await insert(other, new Date(FUTURE.getTime() - 1_000));
      }
      await pool.query('UPDATE `Jobs` SET `Priority` = 3 WHERE `ScheduledAt` > ?', [time(new Date())]);
      expect(await claimIds(store, 'greet')).toEqual([]);
      expect(await store.nextDueAt(['greet'], PAST)).toBeUndefined();
      const ids = [await insert('greet'), await insert('greet', null), await insert('greet', PAST, 4)];
      await insert('greet', FUTURE);
      const ranked = await insert('greet');
      await pool.query('UPDATE `Jobs` SET `Priority` = 2 WHERE `Id` = ?', [ranked]);
      expect(await claimIds(store, 'greet')).toEqual([...ids, ranked].sort());
      expect(await store.nextDueAt(['greet'], PAST)).toEqual(FUTURE);
      expect(await store.counts()).toMatchObject({ byStatus: { processing: 4 } });
    });

    test('type names are found without reading the jobs that wait under them', async () => {
      await pool.query(
        `INSERT INTO \`Jobs\` (\`Id\`, \`TypeName\`, \`State\`, \`CreatedAt\`, \`ScheduledAt\`, \`RetryCount\`, \`MaxRetryCount\`)
         SELECT UUID(), CONCAT('Send, Version=', seq % 3), IF(seq % 2, 1, 4), ?, ?, 0, 3 FROM seq_1_to_6000`,
        [time(PAST), time(FUTURE)],
      );
      const sources = [{ name: 'send', text: 'Send, Version=2' }];
      const connection = await pool.getConnection();
      try {
        await connection.query('FLUSH STATUS');
        const found = await runAwaiting(
          (function* (): Operation<unknown> {
            const { rows } = yield* ask(nextText('Send,', 'Send, Version=0'));
            return [rows[0], yield* groupsOf(sources, yield* nameCondition(), PAST)];
          })(),
          (query) => send(connection, query),
        );
        expect(found).toMatchObject([['Send, Version=1'], [{ first: FUTURE }, { first: FUTURE }]]);
        const [reads] = await connection.query<RowDataPacket[]>(`SHOW SESSION STATUS LIKE 'Handler_read%'`);
        expect(reads.reduce((sum, { Value }) => sum + Number(Value), 0)).toBeLessThan(100);
      } finally {
        connection.release();
      }
    });
  },
);
