import type { ServerKind } from '../contenders/contender.js';

/** A database server that answers. */
export interface BenchServer {
  readonly kind: ServerKind;
  readonly uri: string;
  /** Product, version, and the settings that decide how fast it is. */
  readonly description: string;
  /** Removes what one measurement left. */
  clear(namespace: string): Promise<void>;
  /** Removes the rest, and ends what was started. */
  stop(): Promise<void>;
}

/** What looking for a server came to: the server, or why there is none and what to do. */
export type ServerAnswer = BenchServer | { readonly missing: string };
