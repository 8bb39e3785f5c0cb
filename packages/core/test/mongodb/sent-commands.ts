import type { TestDatabase } from '@monque/test-servers/vitest';
import { type CommandStartedEvent, type Db, type Document, MongoClient } from 'mongodb';
import { onTestFinished } from 'vitest';

/** A database that records what is sent to it. */
export interface Recorded {
  readonly db: Db;
  /** Commands since the last call, those of the named kind only. */
  take(kind: 'find' | 'findAndModify' | 'update' | 'insert' | 'createIndexes' | 'aggregate'): Document[];
  /** What the commands since the last call were, in their order. */
  takeKinds(): string[];
}

/** The test's database through a client of its own that records every command, for the length of the test. */
export function recordCommands({ uri, name }: TestDatabase): Recorded {
  const client = new MongoClient(uri, { monitorCommands: true });
  let commands: Document[] = [];
  client.on('commandStarted', ({ command }: CommandStartedEvent) => commands.push(command));
  onTestFinished(() => client.close());
  return {
    db: client.db(name),
    take(kind) {
      const taken = commands.filter((command) => kind in command);
      commands = [];
      return taken;
    },
    takeKinds() {
      const kinds = commands.map((command) => Object.keys(command)[0] ?? '');
      commands = [];
      return kinds;
    },
  };
}

/** What the server did for a query. */
export interface Execution {
  readonly stages: readonly string[];
  readonly keysExamined: number;
  readonly docsExamined: number;
  readonly returned: number;
}

/** Has the server explain a command exactly as it was sent. */
export async function explain(db: Db, command: Document): Promise<Execution> {
  const { lsid: _, $clusterTime: __, $db: ___, $readPreference: ____, txnNumber: _____, ...bare } = command;
  const answer = await db.command(
    { explain: { ...bare, $db: undefined }, verbosity: 'executionStats' },
    { ignoreUndefined: true },
  );
  const stats = answer.executionStats;
  return {
    stages: stagesOf(stats.executionStages),
    keysExamined: stats.totalKeysExamined,
    docsExamined: stats.totalDocsExamined,
    returned: stats.nReturned,
  };
}

function stagesOf(stage: Document | undefined): string[] {
  if (stage === undefined) return [];
  const children: (Document | undefined)[] = [stage.inputStage, ...(stage.inputStages ?? [])];
  return [stage.stage, ...children.flatMap(stagesOf)];
}
