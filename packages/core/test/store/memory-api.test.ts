import { apiConformance } from '@monque/conformance';
import { memorySubject } from './memory-subject.js';

apiConformance('the in-memory store', memorySubject);
