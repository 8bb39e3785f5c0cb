import { portConformance } from '@monque/conformance';
import { describe } from 'vitest';
import { mongoSubject } from './mongo-subject.js';

const subject = mongoSubject('replicaSet');

describe.skipIf(!subject.available)('On a replica set', () => {
  portConformance('The MongoDB store', subject);
});
