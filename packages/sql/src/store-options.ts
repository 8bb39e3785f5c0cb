import { InvalidOptionError } from '@monque/core';

/** What all SQL stores can be told. */
export interface SqlStoreOptions {
  /**
   * Job names for the texts that JobSharp writes into `TypeName`: by the whole text, or by what comes before its first
   * comma. New jobs of a mapped name are stored under the text, so that JobSharp knows them too. Rows that nothing maps
   * are left alone, and shown under their own text.
   *
   * @defaultValue `{}`
   *
   * @example
   * ```ts
   * import { sqlite } from '@monque/sql';
   *
   * const store = sqlite({ file: 'jobs.db', typeNames: { 'MyApp.Jobs.SendEmail': 'send-email' } });
   * ```
   */
  typeNames?: Readonly<Record<string, string>>;
  /**
   * Whether opening the store creates the tables, or brings them up to date. Otherwise a schema that is not up to date is
   * refused, and is to be migrated by hand: `migrationSql` prints how.
   *
   * @defaultValue true
   */
  autoMigrate?: boolean;
}

/** Refuses options that do not exist or are of the wrong type, before anything is opened. */
export function checkStoreOptions(options: object, known: readonly string[]): void {
  for (const key of Object.keys(options)) {
    if (!known.includes(key)) {
      throw new InvalidOptionError(key, `There is no option "${key}". Use one of: ${known.join(', ')}`);
    }
  }
  const { typeNames, autoMigrate } = options as SqlStoreOptions;
  if (autoMigrate !== undefined && typeof autoMigrate !== 'boolean') {
    throw new InvalidOptionError('autoMigrate', 'Option "autoMigrate" must be true or false');
  }
  // A Map would map nothing: its entries are no properties.
  const isMapping =
    typeof typeNames === 'object' &&
    typeNames !== null &&
    !Array.isArray(typeNames) &&
    !(typeNames instanceof Map);
  if (typeNames !== undefined && !isMapping) {
    throw new InvalidOptionError(
      'typeNames',
      'Option "typeNames" must be an object of job names by type name',
    );
  }
}
