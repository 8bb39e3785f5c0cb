import { createConnection } from 'mysql2/promise';
import { firstLine } from '../first-line.js';
import { ServerUnavailableError } from '../server-unavailable-error.js';

const LOCAL = 'mariadb://root@127.0.0.1:3306';

const ADVICE =
  'Set MARIADB_URL to a server of MariaDB 10.6 or MySQL 8.0, or newer, where databases may be made.';

/** A MariaDB or MySQL server that answers. It is used as it is and never stopped. */
export interface MariadbServer {
  readonly url: string;
  /** Where it came from, for people to read. */
  readonly origin: string;
}

/**
 * The server that `MARIADB_URL` names, else the one on 127.0.0.1:3306.
 *
 * @throws ServerUnavailableError when there is none on this machine.
 */
export async function findMariadb(env: NodeJS.ProcessEnv = process.env): Promise<MariadbServer> {
  const url = env.MARIADB_URL || LOCAL;
  const problem = await problemOf(url);
  if (!problem) return { url, origin: env.MARIADB_URL ? 'MARIADB_URL' : LOCAL };
  if (env.MARIADB_URL) throw new Error(`MARIADB_URL is set, but no server answers there: ${problem}`);
  throw new ServerUnavailableError(
    'MariaDB',
    [`MARIADB_URL is not set, and nothing of use at ${LOCAL}: ${problem}`],
    ADVICE,
  );
}

async function problemOf(url: string): Promise<string | undefined> {
  try {
    const connection = await createConnection({ uri: url, connectTimeout: 5_000 });
    await connection.end();
    return undefined;
  } catch (error) {
    return firstLine(error);
  }
}
