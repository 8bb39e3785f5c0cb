import Sqlite from 'better-sqlite3';
import { createConnection, type ResultSetHeader } from 'mysql2/promise';
import pg from 'pg';
import { onTestFinished } from 'vitest';
import { jobSharpSchema } from '../migrations/workbench.js';
import type { StoreAddress } from '../processes/fixtures/settings.js';
import type { JobSharpRow } from './jobsharp-rows.js';

type Value = string | number | boolean | Date | null;
type Row = Readonly<Record<string, unknown>>;

/** A database as a program sees it that knows nothing of Monque. */
export interface JobSharpDatabase {
  query(statement: string, parameter?: string): Promise<Row[]>;
  /** Runs a statement, and answers how many rows it changed. */
  change(statement: string): Promise<number>;
  insert(table: string, row: Readonly<Record<string, Value>>): Promise<void>;
}

/** Makes JobSharp's tables, for the length of a test. */
export async function makeJobSharpDatabase(address: StoreAddress): Promise<JobSharpDatabase> {
  const { database, run } = await connect(address);
  await run(jobSharpSchema(address.dialect));
  return database;
}

/** All jobs by their ids, in JobSharp's columns. */
export async function readRows(
  database: JobSharpDatabase,
  { dialect }: StoreAddress,
): Promise<Map<string, JobSharpRow>> {
  const rows = await database.query(`SELECT * FROM ${dialect === 'postgres' ? '"Jobs"' : 'Jobs'}`);
  return new Map(
    rows.map((row) => {
      const job = {
        ...(row as unknown as JobSharpRow),
        CreatedAt: toDate(row.CreatedAt) as Date,
        ScheduledAt: toDate(row.ScheduledAt),
        ExecutedAt: toDate(row.ExecutedAt),
      };
      return [job.Id, job];
    }),
  );
}

/** Connects to a database as it is, for the length of a test. */
export async function connectTo(address: StoreAddress): Promise<JobSharpDatabase> {
  return (await connect(address)).database;
}

interface Connection {
  readonly database: JobSharpDatabase;
  run(script: string): Promise<unknown>;
}

function connect(address: StoreAddress): Promise<Connection> {
  if (address.dialect === 'sqlite') return connectSqlite(address.address);
  return address.dialect === 'postgres' ? connectPostgres(address.address) : connectMariadb(address.address);
}

async function connectSqlite(file: string): Promise<Connection> {
  const sqlite = new Sqlite(file, { timeout: 20_000 });
  onTestFinished(() => void sqlite.close());
  return {
    run: async (script) => sqlite.exec(script),
    database: {
      async query(statement, parameter) {
        // Named parameters as in JobSharp's queries.
        const name = /@(\w+)/.exec(statement)?.[1];
        return sqlite.prepare(statement).all(...(name ? [{ [name]: parameter }] : [])) as Row[];
      },
      change: async (statement) => sqlite.prepare(statement).run().changes,
      async insert(table, row) {
        const values = Object.values(row).map((value) =>
          value instanceof Date ? efCoreText(value) : typeof value === 'boolean' ? Number(value) : value,
        );
        sqlite.prepare(insertStatement(table, row, () => '?', '"')).run(...values);
      },
    },
  };
}

async function connectPostgres(url: string): Promise<Connection> {
  const client = new pg.Client({ connectionString: url });
  await client.connect();
  onTestFinished(() => client.end());
  return {
    run: (script) => client.query(script),
    database: {
      query: async (statement, parameter) =>
        (await client.query(statement, parameter === undefined ? [] : [parameter])).rows,
      change: async (statement) => (await client.query(statement)).rowCount ?? 0,
      insert: async (table, row) =>
        void (await client.query(
          insertStatement(table, row, (n) => `$${n}`, '"'),
          Object.values(row),
        )),
    },
  };
}

async function connectMariadb(uri: string): Promise<Connection> {
  const connection = await createConnection({ uri, multipleStatements: true, timezone: 'Z' });
  onTestFinished(() => connection.end());
  return {
    run: (script) => connection.query(script),
    database: {
      query: async (statement, parameter) =>
        (await connection.query(statement, parameter === undefined ? [] : [parameter]))[0] as Row[],
      change: async (statement) => (await connection.query<ResultSetHeader>(statement))[0].affectedRows,
      insert: async (table, row) =>
        void (await connection.query(
          insertStatement(table, row, () => '?', '`'),
          Object.values(row),
        )),
    },
  };
}

function insertStatement(
  table: string,
  row: object,
  placeholder: (n: number) => string,
  quote: string,
): string {
  const columns = Object.keys(row).map((column) => `${quote}${column}${quote}`);
  const values = columns.map((_, index) => placeholder(index + 1));
  return `INSERT INTO ${quote}${table}${quote} (${columns.join(', ')}) VALUES (${values.join(', ')})`;
}

/** As EF Core writes a time: up to seven digits of a fraction, none where it is zero. */
function efCoreText(time: Date): string {
  const [seconds, fraction] = time.toISOString().slice(0, -1).replace('T', ' ').split('.') as [
    string,
    string,
  ];
  return `${seconds}${`.${fraction}`.replace(/\.?0+$/, '')}+00:00`;
}

function toDate(value: unknown): Date | null {
  if (value === null || value instanceof Date) return value;
  const text = String(value).replace(' ', 'T');
  return new Date(/[+-]\d\d:\d\d$/.test(text) ? text : `${text}Z`);
}
