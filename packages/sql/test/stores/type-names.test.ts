import { describe, expect, test } from 'vitest';
import { testedDatabases } from './databases.js';
import { closeStores, opening, PAST, toClaim, toInsert } from './open-stores.js';

closeStores();

const TEXT = 'MyApp.Jobs.SendEmail';
const NAME = 'send-email';

for (const database of testedDatabases()) {
  describe.skipIf(!database.available)(
    `Processes that map type names differently on ${database.name}`,
    () => {
      test('meet the same unique key', async () => {
        const mapping = await opening(database.store({ typeNames: { [TEXT]: NAME } }));
        const plain = await opening(database.store());
        const keyed = toInsert({ name: NAME, uniqueKey: 'key' });
        const [first] = await mapping.insert([keyed]);
        const [kept] = await plain.insert([{ ...keyed }]);
        expect(kept).toMatchObject({ outcome: 'existing', job: { _id: first?.job._id, name: TEXT } });
        const [replaced] = await plain.insert([{ ...keyed, onDuplicate: 'replace' }]);
        expect(replaced).toMatchObject({ outcome: 'replaced', job: { _id: first?.job._id } });
      });

      test('find nothing under a name whose text stands for another', async () => {
        const plain = await opening(database.store());
        await plain.insert([toInsert({ name: TEXT })]);
        const mapping = await opening(database.store({ typeNames: { [TEXT]: NAME } }));
        const filter = { name: TEXT };
        expect(await mapping.counts(TEXT)).toEqual({ byStatus: {} });
        expect(await mapping.page({ filter, by: 'id', direction: 'asc', limit: 10 })).toEqual([]);
        expect(await mapping.changeWhere(filter, { type: 'cancel', running: false }, PAST, 10)).toBe(0);
        expect(await mapping.removeWhere(filter, 10)).toBe(0);
        const claim = await toClaim(mapping, { wants: [{ name: TEXT, limit: 10 }] });
        expect((await mapping.claim(claim)).jobs).toEqual([]);
        expect(await mapping.nextDueAt([TEXT], PAST)).toBeUndefined();
      });
    },
  );
}
