import type { CommandStartedEvent, Document, MongoClient } from 'mongodb';
import type { Counts } from './counts.js';
import { kindOf, type OperationKind } from './operation-kind.js';

/** A command on its way to the server. */
interface CountedCommand {
  readonly kind: OperationKind;
  readonly counts: Pick<Counts, 'commands' | 'statements'>;
}

/** Counts what a client sends. The driver's own monitoring of servers is not among it. */
export class CommandCounter {
  readonly #client: MongoClient;
  #commands: CountedCommand[] = [];

  /** @param client - One with `monitorCommands`. */
  constructor(client: MongoClient) {
    this.#client = client;
    client.on('commandStarted', this.#started);
  }

  /** Forgets what was counted. */
  restart(): void {
    this.#commands = [];
  }

  /** Counts no further; answers everything that was sent until now. */
  end(): readonly CountedCommand[] {
    this.#client.off('commandStarted', this.#started);
    return this.#commands;
  }

  readonly #started = ({ command }: CommandStartedEvent): void => {
    this.#commands.push({
      kind: kindOf(command),
      counts: { commands: 1, statements: statementsOf(command) },
    });
  };
}

function statementsOf({ updates, deletes }: Document): number {
  return (updates ?? deletes)?.length ?? 1;
}
