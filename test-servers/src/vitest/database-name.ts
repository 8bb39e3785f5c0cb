import { randomBytes } from 'node:crypto';

/** A name that no other test file, run or machine uses for its database. */
export function databaseName(): string {
  return `monque_test_${randomBytes(6).toString('hex')}`;
}

/** The same server's address with another database. */
export function withDatabase(url: string, name: string): string {
  const own = new URL(url);
  own.pathname = `/${name}`;
  return own.href;
}
