import { portConformance } from '@monque/conformance';
import { memorySubject } from './memory-subject.js';

portConformance('The in-memory store', memorySubject);
