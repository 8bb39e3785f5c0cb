import { MongoBackend, MongoChangeStreamNotificationChannel } from '@agendajs/mongo-backend';
import { Agenda } from 'agenda';
import type { Document } from 'mongodb';
import type {
  Bystanders,
  Contender,
  ContenderProfile,
  ContenderWorker,
  Handle,
  JobData,
  NewJob,
  Target,
  WorkerRequest,
} from './contender.js';
import { connectMongo, type MongoConnection } from './mongodb/connection.js';
import { copyDocument } from './mongodb/copy-document.js';
import { StoredCount } from './stored-count.js';

const COLLECTION = 'agendaJobs';
const DAY_MS = 86_400_000;

/**
 * Agenda at its best:
 * - Where throughput counts, as many locks as slots and a poll every 100 ms: it locks one job after the other, and each
 *   lock walks over all jobs that are locked already. Jobs/s with 2,000 jobs, two runs each: 287 and 270 with
 *   `lockLimit` 0 and `processEvery` 1000, 370 and 409 with 50 and 100, 260 and 420 with 200 and 100.
 * - It removes what it has completed, which it would walk over as well: 316 and 321 jobs/s with it, 198 and 263 without.
 * - Change streams where latency counts, since polling adds half an interval; then no limit of locks, which would make it
 *   wait for a poll. Without change streams where throughput counts: every save of a job would come back as a notification.
 */
class AgendaContender implements Contender {
  readonly #connection: MongoConnection;
  readonly #agendas: Agenda[] = [];
  #sender: Agenda | undefined;

  constructor(connection: MongoConnection) {
    this.#connection = connection;
  }

  async prepare(): Promise<void> {
    await this.#sending();
  }

  async enqueue({ name, data }: NewJob): Promise<unknown> {
    return (await this.#sending()).now(name, data);
  }

  async createWorker(
    { names, concurrency, tuning }: WorkerRequest,
    handle: Handle,
  ): Promise<ContenderWorker> {
    const agenda = this.#agenda(concurrency, tuning === 'latency');
    const stored = new StoredCount();
    for (const name of names) {
      agenda.define<JobData>(name, async (job) => handle(job.attrs.data), { concurrency });
    }
    agenda.on('complete', () => stored.add());
    await agenda.ready;
    return {
      start: () => agenda.start(),
      stored: (handled) => stored.reached(handled),
    };
  }

  async fill(kind: Bystanders, count: number, name: string): Promise<void> {
    const template = kind === 'future' ? await this.#futureJob(name) : await this.#finishedJob(name);
    await copyDocument(this.#jobs, template, count, kind === 'future' ? 'future' : 'past');
  }

  async commandCount(): Promise<number> {
    return this.#connection.commandCount();
  }

  async close(): Promise<void> {
    await Promise.all(this.#agendas.map((agenda) => agenda.stop()));
    await this.#connection.client.close();
  }

  get #jobs() {
    return this.#connection.db.collection(COLLECTION);
  }

  #agenda(concurrency: number, watching: boolean): Agenda {
    const { db } = this.#connection;
    const agenda = new Agenda({
      backend: new MongoBackend({ mongo: db, collection: COLLECTION }),
      removeOnComplete: true,
      defaultConcurrency: concurrency,
      maxConcurrency: concurrency,
      ...(watching
        ? {
            processEvery: 1000,
            defaultLockLimit: 0,
            lockLimit: 0,
            notificationChannel: new MongoChangeStreamNotificationChannel({ db, collection: COLLECTION }),
          }
        : { processEvery: 100, defaultLockLimit: concurrency, lockLimit: concurrency }),
    });
    this.#agendas.push(agenda);
    return agenda;
  }

  async #sending(): Promise<Agenda> {
    this.#sender ??= this.#agenda(50, false);
    await this.#sender.ready;
    return this.#sender;
  }

  async #futureJob(name: string): Promise<Document> {
    const agenda = await this.#sending();
    const job = await agenda.schedule(new Date(Date.now() + DAY_MS), name, { n: 0 });
    return this.#take(job.attrs._id);
  }

  async #finishedJob(name: string): Promise<Document> {
    const job = await (await this.#sending()).now(name, { n: 0 });
    const agenda = this.#agenda(1, false);
    const stored = new StoredCount();
    agenda.define(name, async () => {}, { concurrency: 1, removeOnComplete: false });
    agenda.on('complete', () => stored.add());
    await agenda.start();
    await stored.reached(1);
    await agenda.stop();
    return this.#take(job.attrs._id);
  }

  /** Reads a document and removes it: it is the template, and none of the jobs. */
  async #take(id: unknown): Promise<Document> {
    // Agenda has its ids as text, and stores them as ObjectIds.
    const document = await this.#jobs.findOneAndDelete({
      $expr: { $eq: [{ $toString: '$_id' }, String(id)] },
    });
    if (document === null) throw new Error('Agenda did not store the template of the bystanders');
    return document;
  }
}

export const agenda: ContenderProfile = {
  id: 'agenda',
  title: 'Agenda (MongoDB)',
  server: 'mongodb',
  package: 'agenda',
  pace: 'slow',
  settings: [
    'defaultConcurrency and maxConcurrency as stated per scenario, removeOnComplete',
    'where throughput is measured: processEvery 100, lockLimit and defaultLockLimit equal to the concurrency, polling',
    'where latency is measured and when idle: MongoChangeStreamNotificationChannel, processEvery 1000, no limit of locks',
  ],
  without: {
    sustained: 'half a million jobs would take it over half an hour',
  },
  connect: async (target: Target) => new AgendaContender(await connectMongo(target)),
};
