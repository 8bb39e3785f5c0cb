import type { Db } from 'mongodb';

/** The server's clock. The cheapest command there is; it touches no collection and needs no right. */
export async function serverTime(db: Db): Promise<Date> {
  const { localTime } = await db.command({ hello: 1 }, { readPreference: 'primary' });
  return localTime;
}
