import type { Db, Document } from 'mongodb';

/** What the server is to do to commands, instead of carrying them out or after it has. */
export interface CommandFault {
  readonly failCommands: readonly string[];
  /** Fails the command before it does anything. */
  readonly errorCode?: number;
  /** Carries it out, and says that a majority did not follow. */
  readonly writeConcernError?: { readonly code: number; readonly errmsg: string };
  readonly closeConnection?: boolean;
  /** Carries it out later. */
  readonly blockConnection?: boolean;
  readonly blockTimeMS?: number;
  /** Clients to which it happens, by the name that they give themselves in their address. */
  readonly appName: string;
}

/** Which of the commands: all, the first few, or some by chance. */
type FailMode = 'alwaysOn' | { readonly times: number } | { readonly activationProbability: number };

/** How long the server may take to come to the command, in milliseconds. */
const ENTER_MS = 60_000;

/**
 * Makes the primary fail commands until the end of the block. Needs a server with `enableTestCommands=1`.
 *
 * @param admin - The database `admin`.
 */
export async function failCommands(admin: Db, mode: FailMode, data: CommandFault): Promise<FailPoint> {
  const { count } = await admin.command({ configureFailPoint: 'failCommand', mode, data });
  return new FailPoint(admin, count);
}

/** A fault of the server that is on. */
class FailPoint implements AsyncDisposable {
  readonly #admin: Db;
  readonly #before: number;

  constructor(admin: Db, before: number) {
    this.#admin = admin;
    this.#before = before;
  }

  /** Resolves when it has met so many commands. */
  async entered(times = 1): Promise<Document> {
    const timesEntered = this.#before + times;
    return this.#admin.command({ waitForFailPoint: 'failCommand', timesEntered, maxTimeMS: ENTER_MS });
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.#admin.command({ configureFailPoint: 'failCommand', mode: 'off' });
  }
}
