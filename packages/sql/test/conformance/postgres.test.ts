import { apiConformance, portConformance } from '@monque/conformance';
import { describe } from 'vitest';
import { postgresSubject } from './postgres-subject.js';

const subject = postgresSubject();

describe.skipIf(!subject.available)('On a server', () => {
  portConformance('PostgreSQL', subject);
  apiConformance('PostgreSQL', subject);
});
