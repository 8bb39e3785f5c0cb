import { apiConformance, portConformance } from '@monque/conformance';
import { describe } from 'vitest';
import { mariadbSubject } from './mariadb-subject.js';

const subject = mariadbSubject();

describe.skipIf(!subject.available)('On a server', () => {
  portConformance('MariaDB', subject);
  apiConformance('MariaDB', subject);
});
