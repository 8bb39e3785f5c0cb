/** What a store needs to know when it is opened. */
export interface StoreOptions {
  /** Name of the collection that holds the jobs, where the store has one. */
  readonly collectionName: string;
  /** Leave indexes to the user. */
  readonly skipIndexCreation: boolean;
  /** Whether final jobs are removed by age, so that the store can prepare for it. */
  readonly retention: boolean;
}

/** What a payload may hold. */
export interface PayloadRules {
  /** Largest payload in bytes. */
  readonly maxBytes: number;
  /** Whether a BigInt can be stored. */
  readonly bigint: boolean;
  /**
   * Whether it is kept as JSON. Then a payload with what JSON would silently turn into something else, such as NaN or
   * binary data, is refused. Dates become texts.
   *
   * @defaultValue false
   */
  readonly json?: boolean;
  /** Size of a payload in bytes as it would be stored. The payload has been checked. */
  sizeOf(data: unknown): number;
}
