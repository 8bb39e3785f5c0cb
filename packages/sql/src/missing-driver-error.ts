import { MonqueError } from '@monque/core';

/** The package that talks to the database is not installed. */
export class MissingDriverError extends MonqueError {
  static {
    // On the prototype and written out, as for every error: minifiers rename classes.
    Object.defineProperty(MissingDriverError.prototype, 'name', { value: 'MissingDriverError' });
  }
  override readonly code = 'MONQUE_MISSING_DRIVER';
  /** The package to install. */
  readonly packageName: string;

  constructor(packageName: string, cause: unknown) {
    super(
      `The package "${packageName}" is not installed. Install it beside @monque/sql: npm install ${packageName}`,
      { cause },
    );
    this.packageName = packageName;
  }
}

/** Loads a driver, which is only needed by those who use its database. */
export async function loadDriver<T>(packageName: string, load: () => Promise<T>): Promise<T> {
  try {
    return await load();
  } catch (error) {
    const code = error instanceof Error && 'code' in error ? error.code : undefined;
    if (code === 'ERR_MODULE_NOT_FOUND' || code === 'MODULE_NOT_FOUND')
      throw new MissingDriverError(packageName, error);
    throw error;
  }
}
