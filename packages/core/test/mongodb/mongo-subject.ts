import type { ConformanceSubject, ConformanceTransaction, TemplateFields } from '@monque/conformance';
import { type TestDatabase, testDatabase } from '@monque/test-servers/vitest';
import { type Db, type Document, ObjectId } from 'mongodb';
import { afterAll } from 'vitest';
import { mongoStore } from '../../src/mongodb/mongo-store.js';

/** The MongoDB store on one kind of server; each group of tests gets a database beside the file's own. */
export function mongoSubject(topology: 'replicaSet' | 'standalone'): ConformanceSubject & TestDatabase {
  const database = testDatabase(topology);
  const made: Db[] = [];
  // Runs before the one of testDatabase, which closes the client.
  afterAll(async () => {
    if (database.available) await Promise.all(made.map((db) => db.dropDatabase()));
  });
  return {
    ...database,
    watch: topology === 'replicaSet',
    transactions: topology === 'replicaSet',
    async create() {
      const db = database.client.db(`${database.name}_${made.length}`);
      made.push(db);
      return {
        connect: async () => mongoStore(db),
        async clear() {
          await Promise.all([
            db.collection('monque_jobs').deleteMany({}),
            db.collection('monque_job_logs').deleteMany({}),
            db.collection('monque_recurring').deleteMany({}),
            db.collection('monque_batches').deleteMany({}),
          ]);
        },
        async write(document: Document) {
          const { insertedId } = await db
            .collection('monque_jobs')
            .insertOne({ _id: new ObjectId(), ...document });
          return insertedId;
        },
        async writeTemplate(id: string, fields: TemplateFields) {
          const templates = db.collection<Document & { _id: string }>('monque_recurring');
          await templates.updateOne({ _id: id }, { $set: { ...fields } }, { upsert: true });
        },
        drop: async () => {},
        begin: () => begin(database),
      };
    },
  };
}

async function begin({ client }: TestDatabase): Promise<ConformanceTransaction> {
  const session = client.startSession();
  session.startTransaction();
  return {
    session,
    async commit() {
      await session.commitTransaction();
      await session.endSession();
    },
    async abort() {
      await session.abortTransaction();
      await session.endSession();
    },
  };
}
