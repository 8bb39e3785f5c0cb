import { mkdtemp, readdir, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout } from 'node:timers/promises';
import { type Collection, type Db, MongoClient, type ObjectId } from 'mongodb';
import { expect } from 'vitest';
import type { MonqueOptions } from '../../../src/options/monque-options.js';
import type { LedgerLine } from '../fixtures/ledger-file.js';
import { Chance } from './chance.js';
import { Crew } from './crew.js';
import { Producer } from './producer.js';
import { judge, type StoredOutcome, type Verdict } from './verdict.js';

/** How long the last jobs may take once everything is in order again, in milliseconds. */
const LAST_JOBS_MS = 90_000;

const UNFINISHED = { status: { $in: ['pending', 'processing'] } };

/** A job as this suite reads it. */
interface JobDocument {
  readonly _id: ObjectId;
  readonly status: string;
  readonly failCount: number;
  readonly claimedBy?: string;
  readonly result?: { readonly run: string };
}

/** What a scenario works with. */
export interface SceneOptions {
  /** A name for people, and for the database. */
  readonly title: string;
  readonly uri: string;
  /** Options of the processes that work. */
  readonly options: MonqueOptions;
  /** Where its random moments come from. */
  readonly chance?: Chance;
}

/** One scenario: a database of its own, a producer, processes that work, and what is to be said about them in the end. */
export class Scene implements AsyncDisposable {
  readonly title: string;
  readonly chance: Chance;
  readonly client: MongoClient;
  readonly db: Db;
  readonly jobs: Collection<JobDocument>;
  readonly crew: Crew;
  readonly producer: Producer;
  readonly #folder: string;

  private constructor({ title, uri, options, chance = new Chance() }: SceneOptions, folder: string) {
    const name = `faults_${title.replaceAll(/\W/g, '_')}`;
    this.title = title;
    this.chance = chance.announce(title);
    this.client = new MongoClient(uri);
    this.db = this.client.db(name);
    this.jobs = this.db.collection('monque_jobs');
    this.crew = new Crew({ uri, database: name, folder, options });
    this.producer = new Producer(this.db, this.chance);
    this.#folder = folder;
  }

  static async open(options: SceneOptions): Promise<Scene> {
    return new Scene(options, await mkdtemp(join(tmpdir(), 'monque-faults-')));
  }

  /** Waits until every stored job has ended, and no producer adds one. */
  async finish(): Promise<void> {
    await this.producer.stop();
    const deadline = performance.now() + LAST_JOBS_MS;
    let left: number | undefined;
    do {
      if (performance.now() > deadline) {
        const jobs = await this.jobs.find(UNFINISHED).limit(3).toArray();
        throw new Error(`${left} jobs have not ended within ${LAST_JOBS_MS} ms: ${JSON.stringify(jobs)}`);
      }
      await setTimeout(50);
      left = await this.jobs.countDocuments(UNFINISHED).catch(() => undefined);
    } while (left !== 0);
  }

  async ledger(): Promise<LedgerLine[]> {
    const lines: LedgerLine[] = [];
    for (const file of await readdir(this.#folder)) {
      const text = await readFile(join(this.#folder, file), 'utf8');
      // What follows the last end of a line is nothing, or what a process wrote when it was killed: that did not happen.
      const whole = text.split('\n').slice(0, -1);
      lines.push(...whole.map((line) => JSON.parse(line) as LedgerLine));
    }
    return lines;
  }

  async verdict(): Promise<Verdict> {
    const documents = await this.jobs.find().toArray();
    const stored = documents.map(
      ({ _id, status, failCount, result }): StoredOutcome => ({
        id: String(_id),
        status,
        failCount,
        run: result?.run,
      }),
    );
    const { acknowledged } = this.producer;
    return judge({ acknowledged, stored, ledger: await this.ledger(), harmed: this.crew.harmed });
  }

  /** Waits until all is over, and fails unless every promise was kept. Answers what happened. */
  async expectPromisesKept(): Promise<Verdict> {
    await this.finish();
    const verdict = await this.verdict();
    const { acknowledged, runs, repeated, ...violations } = verdict;
    console.log(
      `${this.title}: ${acknowledged} jobs acknowledged, ${this.producer.refused} refused, ` +
        `${runs} runs, ${repeated} of them again after what was done to their process`,
    );
    expect(violations).toEqual({ lost: [], unexplained: [], unearned: [], early: [] });
    return verdict;
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.crew[Symbol.asyncDispose]();
    await this.producer[Symbol.asyncDispose]();
    await this.db.dropDatabase().catch(() => undefined);
    await this.client.close();
    await rm(this.#folder, { recursive: true, force: true });
  }
}
