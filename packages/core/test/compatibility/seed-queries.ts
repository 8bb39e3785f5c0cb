import type { Collection, Document, WithId } from 'mongodb';

/** The queries of the specification, letter by letter but for their parameters; what another Monque, or a person, runs. */
export class SeedQueries {
  readonly #collection: Collection<Document>;
  readonly #schedulerInstanceId: string;

  constructor(collection: Collection<Document>, schedulerInstanceId: string) {
    this.#collection = collection;
    this.#schedulerInstanceId = schedulerInstanceId;
  }

  claim(name: string): Promise<WithId<Document> | null> {
    const now = new Date();
    return this.#collection.findOneAndUpdate(
      {
        name,
        status: 'pending',
        nextRunAt: { $lte: now },
        $or: [{ claimedBy: null }, { claimedBy: { $exists: false } }],
      },
      {
        $set: {
          status: 'processing',
          claimedBy: this.#schedulerInstanceId,
          lockedAt: now,
          lastHeartbeat: now,
          heartbeatInterval: 30_000,
          updatedAt: now,
        },
      },
      { sort: { nextRunAt: 1 }, returnDocument: 'after' },
    );
  }

  /** Answers how many jobs were renewed. */
  async heartbeat(): Promise<number> {
    const now = new Date();
    const { modifiedCount } = await this.#collection.updateMany(
      { claimedBy: this.#schedulerInstanceId, status: 'processing' },
      { $set: { lastHeartbeat: now, updatedAt: now } },
    );
    return modifiedCount;
  }

  /** Answers how many jobs were given back. */
  async recover(lockTimeout: number): Promise<number> {
    const staleThreshold = new Date(Date.now() - lockTimeout);
    const { modifiedCount } = await this.#collection.updateMany(
      { status: 'processing', lockedAt: { $lt: staleThreshold } },
      {
        $set: { status: 'pending', updatedAt: new Date() },
        $unset: { lockedAt: '', claimedBy: '', lastHeartbeat: '', heartbeatInterval: '' },
      },
    );
    return modifiedCount;
  }

  upsert(name: string, uniqueKey: string, data: Document): Promise<WithId<Document> | null> {
    const now = new Date();
    const jobDocument = {
      name,
      data,
      status: 'pending',
      nextRunAt: now,
      failCount: 0,
      uniqueKey,
      createdAt: now,
      updatedAt: now,
    };
    return this.#collection.findOneAndUpdate(
      { name, uniqueKey, status: { $in: ['pending', 'processing'] } },
      { $setOnInsert: { ...jobDocument } },
      { upsert: true, returnDocument: 'after' },
    );
  }

  /** The end of a job that was claimed by hand. */
  async complete(job: WithId<Document>): Promise<void> {
    await this.#collection.updateOne(
      { _id: job._id, claimedBy: this.#schedulerInstanceId, status: 'processing' },
      {
        $set: { status: 'completed', updatedAt: new Date() },
        $unset: { lockedAt: '', claimedBy: '', lastHeartbeat: '', heartbeatInterval: '' },
      },
    );
  }
}
