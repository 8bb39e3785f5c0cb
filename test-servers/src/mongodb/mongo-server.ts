/** How the nodes of a server belong together. Change streams and transactions need a replica set. */
export type MongoTopology = 'standalone' | 'replicaSet';

/** One mongod process, for tests that take servers away. */
export interface MongodProcess {
  /** Another one after a restart. */
  readonly pid: number;
  readonly port: number;
  /** Sends a signal. After `SIGKILL` or `SIGTERM` the node stays away until it is restarted. */
  kill(signal: NodeJS.Signals): void;
  /** Starts the node again, on its port and on its data; one that still lives is killed first. */
  restart(): Promise<void>;
}

/** A MongoDB server that answers. */
export interface MongoServer extends AsyncDisposable {
  readonly topology: MongoTopology;
  readonly uri: string;
  /** Where it came from, for people to read. */
  readonly origin: string;
  /** The processes that were started for it; none where `MONGODB_URI` names it. */
  readonly processes: readonly MongodProcess[];
  /** Ends what was started, and removes its data. A server that `MONGODB_URI` names is left as it is. */
  stop(): Promise<void>;
}
