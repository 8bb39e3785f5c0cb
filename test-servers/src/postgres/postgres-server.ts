/** A PostgreSQL server that answers, with a user that may make databases. */
export interface PostgresServer extends AsyncDisposable {
  readonly url: string;
  /** Where it came from, for people to read. */
  readonly origin: string;
  /** Ends what was started, and removes its data. A server that was running already is left as it is. */
  stop(): Promise<void>;
}
