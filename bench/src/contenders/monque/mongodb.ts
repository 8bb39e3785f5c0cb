import type { Document } from 'mongodb';
import { connectMongo } from '../mongodb/connection.js';
import { copyDocument } from '../mongodb/copy-document.js';
import { monqueOn } from './monque-contender.js';

export const monqueMongodb = monqueOn(
  {
    id: 'monque',
    title: 'Monque (MongoDB)',
    server: 'mongodb',
    package: '@monque/core',
    settings: ['built package, driver defaults'],
  },
  async (target) => {
    const { client, db, commandCount, claimCount } = await connectMongo(target);
    const jobs = db.collection('monque_jobs');
    return {
      store: db,
      multiply: async (id, count, kind) => {
        const template: Document | null = await jobs.findOneAndDelete({ _id: id as never });
        if (template === null) throw new Error('Monque did not store the template of the bystanders');
        await copyDocument(jobs, template, count, kind === 'future' ? 'future' : 'past');
      },
      commandCount: async () => commandCount(),
      claimCount,
      close: () => client.close(),
    };
  },
);
