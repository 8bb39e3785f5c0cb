import type { Pool } from 'mysql2/promise';

/** How MariaDB goes about one table of a statement. */
export interface Step {
  readonly table: string | null;
  readonly type: string | null;
  readonly key: string | null;
  readonly Extra: string | null;
}

interface Sent {
  readonly sql: string;
  readonly values: unknown[];
}

/** A pool that remembers the statements that are sent through it. */
export class RecordedMariadb {
  readonly pool: Pool;
  readonly #sent: Sent[] = [];
  readonly #admin: Pool;

  constructor(admin: Pool) {
    this.#admin = admin;
    this.pool = {
      query: (options: Sent) => {
        this.#sent.push(options);
        return admin.query(options);
      },
      getConnection: async () => {
        const connection = await admin.getConnection();
        return {
          query: (options: string | Sent) => {
            if (typeof options !== 'string') this.#sent.push(options);
            return connection.query(options as string);
          },
          release: () => connection.release(),
          destroy: () => connection.destroy(),
        };
      },
      pool: (admin as unknown as { pool: unknown }).pool,
    } as unknown as Pool;
  }

  /** Forgets what was sent. */
  forget(): void {
    this.#sent.length = 0;
  }

  /** How MariaDB goes about the statements that were sent since the last call, but for inserts. */
  async steps(): Promise<Step[]> {
    const steps: Step[] = [];
    for (const { sql, values } of this.#sent.splice(0)) {
      if (/^insert/i.test(sql)) continue;
      const [rows] = await this.#admin.query(`EXPLAIN ${sql}`, values);
      steps.push(...(rows as unknown as Step[]));
    }
    return steps;
  }
}
