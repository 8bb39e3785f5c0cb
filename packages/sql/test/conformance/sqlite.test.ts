import { apiConformance, portConformance } from '@monque/conformance';
import { sqliteFileSubject, sqliteMemorySubject } from './sqlite-subject.js';

portConformance('SQLite in a file', sqliteFileSubject);
apiConformance('SQLite in a file', sqliteFileSubject);
portConformance('SQLite in memory', sqliteMemorySubject);
apiConformance('SQLite in memory', sqliteMemorySubject);
