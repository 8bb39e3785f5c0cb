export { apiConformance } from './api/api-conformance.js';
export { portConformance } from './port/port-conformance.js';
export type {
  ConformanceDatabase,
  ConformanceSubject,
  ConformanceTransaction,
  TemplateFields,
} from './subject.js';
