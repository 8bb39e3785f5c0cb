import pg from 'pg';

/** A statement that was sent. */
export interface Sent {
  readonly name?: string;
  readonly text: string;
  readonly values: unknown[];
}

/** A pool that remembers the statements that are sent through it, within transactions and without. */
export class RecordedPostgres extends pg.Pool {
  readonly sent: Sent[] = [];

  constructor(connectionString: string) {
    super({ connectionString, max: 2, options: '-c jit=off' });
    this.on('connect', (client) => {
      const query = client.query.bind(client) as (...all: unknown[]) => never;
      client.query = (...args: unknown[]): never => {
        const [config] = args;
        if (typeof config === 'object' && config !== null && 'text' in config) this.sent.push(config as Sent);
        return query(...args);
      };
    });
  }
}
