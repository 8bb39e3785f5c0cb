import { describe } from 'vitest';
import type { ConformanceSubject } from '../subject.js';
import { batchStoreTests } from './batches.js';
import { changeTests } from './change.js';
import { changeWhereTests } from './change-where.js';
import { claimTests } from './claim.js';
import { claimProcessesTests } from './claim-processes.js';
import { countsTests } from './counts.js';
import { identityTests } from './identities.js';
import { insertTests } from './insert.js';
import { leaseTests } from './leases.js';
import { linkTests } from './links.js';
import { nextDueAtTests } from './next-due-at.js';
import { noteTests } from './notes.js';
import { pageTests } from './page.js';
import { recoverTests } from './recover.js';
import { recurringStoreTests } from './recurring.js';
import { settleTests } from './settle.js';
import { settleFencingTests } from './settle-fencing.js';
import { settleRecurringTests } from './settle-recurring.js';
import { storeTests } from './store.js';
import { uniqueKeyTests } from './unique-keys.js';
import { watchTests } from './watch.js';

/**
 * Tests every promise of the `JobStore` port. Call it in a test file of Vitest.
 *
 * @param name - How the store is called in the report.
 * @param subject - How to get an empty database, and stores on it.
 */
export function portConformance(name: string, subject: ConformanceSubject): void {
  describe(`${name} keeps the promises of the store port`, () => {
    storeTests(subject);
    insertTests(subject);
    identityTests(subject);
    uniqueKeyTests(subject);
    claimTests(subject);
    claimProcessesTests(subject);
    nextDueAtTests(subject);
    settleTests(subject);
    settleFencingTests(subject);
    settleRecurringTests(subject);
    leaseTests(subject);
    recoverTests(subject);
    pageTests(subject);
    countsTests(subject);
    changeTests(subject);
    changeWhereTests(subject);
    noteTests(subject);
    linkTests(subject);
    batchStoreTests(subject);
    recurringStoreTests(subject);
    watchTests(subject);
  });
}
