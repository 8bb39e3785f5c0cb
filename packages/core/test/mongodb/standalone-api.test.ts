import { apiConformance } from '@monque/conformance';
import { describe } from 'vitest';
import { mongoSubject } from './mongo-subject.js';

const subject = mongoSubject('standalone');

describe.skipIf(!subject.available)('On a standalone server', () => {
  apiConformance('MongoDB', subject);
});
