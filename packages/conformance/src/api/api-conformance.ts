import { describe } from 'vitest';
import type { ConformanceSubject } from '../subject.js';
import { batchTests } from './batches.js';
import { batchByHandTests } from './batches-by-hand.js';
import { bulkTests } from './bulk.js';
import { continuationTests } from './continuations.js';
import { continuationByHandTests } from './continuations-by-hand.js';
import { cursorTests } from './cursor.js';
import { definitionTests } from './definitions.js';
import { enqueueTests } from './enqueue.js';
import { enqueueManyTests } from './enqueue-many.js';
import { eventTests } from './events.js';
import { failureTests } from './failures.js';
import { fromOutsideTests } from './from-outside.js';
import { handlerContextTests } from './handler-context.js';
import { leaseBehaviourTests } from './leases.js';
import { lifecycleTests } from './lifecycle.js';
import { manageTests } from './manage.js';
import { misbehaviourTests } from './misbehaviour.js';
import { outageTests } from './outages.js';
import { processingTests } from './processing.js';
import { queryTests } from './queries.js';
import { recurringTests } from './recurring.js';
import { recurringFiringTests } from './recurring-firing.js';
import { recurringTemplateTests } from './recurring-templates.js';
import { recurringUpsertTests } from './recurring-upsert.js';
import { steeringTests } from './steering.js';
import { stopTests } from './stop.js';
import { transactionTests } from './transactions.js';
import { uniquenessTests } from './uniqueness.js';

/**
 * Tests what a caller of `Monque` can observe on a store. Call it in a test file of Vitest.
 *
 * @param name - How the store is called in the report.
 * @param subject - How to get an empty database, and stores on it.
 */
export function apiConformance(name: string, subject: ConformanceSubject): void {
  describe(`Monque on ${name}`, () => {
    lifecycleTests(subject);
    enqueueTests(subject);
    uniquenessTests(subject);
    enqueueManyTests(subject);
    processingTests(subject);
    failureTests(subject);
    recurringTests(subject);
    recurringUpsertTests(subject);
    recurringTemplateTests(subject);
    recurringFiringTests(subject);
    eventTests(subject);
    steeringTests(subject);
    handlerContextTests(subject);
    misbehaviourTests(subject);
    fromOutsideTests(subject);
    stopTests(subject);
    queryTests(subject);
    cursorTests(subject);
    manageTests(subject);
    bulkTests(subject);
    definitionTests(subject);
    continuationTests(subject);
    continuationByHandTests(subject);
    batchTests(subject);
    batchByHandTests(subject);
    leaseBehaviourTests(subject);
    outageTests(subject);
    transactionTests(subject);
  });
}
