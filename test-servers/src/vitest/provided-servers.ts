/** Why tests that need a server cannot run. */
export interface Missing {
  readonly missing: string;
}

/** What the global set-up hands to every test file: addresses, or why there are none. */
export interface ProvidedServers {
  /** By topology. */
  readonly mongo: { readonly standalone: string; readonly replicaSet: string } | Missing;
  readonly postgres: { readonly url: string } | Missing;
  readonly mariadb: { readonly url: string } | Missing;
}

declare module 'vitest' {
  export interface ProvidedContext {
    servers: ProvidedServers;
  }
}
