import type { JobStore } from '@monque/core';
import type { Db } from 'mongodb';
import type { Bystanders, ClaimCount } from '../contender.js';

/** What differs between the databases that Monque is measured on. */
export interface Backend {
  /** What an instance is made with; one for all instances of the process. */
  readonly store: Db | JobStore;
  /** Called once before the first instance opens the store. */
  prepare?(): Promise<void>;
  /** Multiplies a job that Monque wrote itself, so that the copies look as its own do, and removes it. */
  multiply(id: unknown, count: number, kind: Bystanders): Promise<void>;
  commandCount?(): Promise<number>;
  claimCount?(): ClaimCount;
  close(): Promise<void>;
}
