import type { ConformanceSubject } from '@monque/conformance';
import { MemoryStore } from '../../src/store/memory/memory-store.js';

/** The in-memory store: one object, which all "processes" share. */
export const memorySubject: ConformanceSubject = {
  async create() {
    let store = new MemoryStore();
    return {
      connect: async () => store,
      clear: async () => {
        store = new MemoryStore();
      },
      write: (document) => store.write(document),
      writeTemplate: async (id, fields) => store.recurring.write(id, fields),
      drop: async () => {},
    };
  },
};
