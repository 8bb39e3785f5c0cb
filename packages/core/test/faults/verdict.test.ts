import { describe, expect, test } from 'vitest';
import type { LedgerLine } from './fixtures/ledger-file.js';
import { type History, judge, type StoredOutcome } from './scene/verdict.js';

const line = (
  type: LedgerLine['type'],
  by: string,
  run: string,
  more: Partial<LedgerLine> = {},
): LedgerLine => ({
  type,
  by,
  run,
  job: 'job',
  at: 1_000,
  ...(type === 'begin' && { attempt: 1, due: 1_000 }),
  ...more,
});
const stored = (changes: Partial<StoredOutcome> = {}): StoredOutcome => ({
  id: 'job',
  status: 'completed',
  failCount: 0,
  run: 'one',
  ...changes,
});
const goodRun = [line('begin', 'a', 'one'), line('end', 'a', 'one'), line('complete', 'a', 'one')];

/** A job that ran once and well, but for the changes. */
const judged = (changes: Partial<History>) =>
  judge({
    acknowledged: new Map([['job', { ms: 0, fails: 0 }]]),
    stored: [stored()],
    ledger: goodRun,
    harmed: new Set(),
    ...changes,
  });

describe('The verdict on a history', () => {
  test('finds nothing in a good one', () => {
    expect(judged({})).toEqual({
      acknowledged: 1,
      runs: 1,
      repeated: 0,
      lost: [],
      unexplained: [],
      unearned: [],
      early: [],
    });
  });

  test.each<[string, Partial<History>]>([
    ['a job that is not stored', { stored: [], ledger: [] }],
    ['a job that waits', { stored: [stored({ status: 'pending' })] }],
    ['a job that is claimed', { stored: [stored({ status: 'processing' })] }],
    ['a failure that nobody asked for', { stored: [stored({ failCount: 1 })] }],
    ['a failure that counted twice', { acknowledged: new Map([['job', { ms: 0, fails: 1 }]]) }],
    [
      'a job that was refused and yet is there',
      { acknowledged: new Map(), stored: [stored({ status: 'pending' })] },
    ],
  ])('finds %s', (_, changes) => {
    expect(judged(changes).lost).toHaveLength(1);
  });

  const again = [...goodRun, line('begin', 'b', 'two', { at: 2_000 })];
  test('finds a second run, unless something was done to the process of the first', () => {
    expect(judged({ ledger: again }).unexplained).toEqual(['job attempt 1 in a, then b']);
    expect(judged({ ledger: again, harmed: new Set('b') }).unexplained).toHaveLength(1);
    expect(judged({ ledger: again, harmed: new Set('a') })).toMatchObject({ unexplained: [], repeated: 1 });
  });

  test('takes another attempt for no second run', () => {
    const ledger = [...goodRun, line('begin', 'b', 'two', { attempt: 2 })];
    expect(judged({ ledger })).toMatchObject({ runs: 2, repeated: 0, unexplained: [] });
  });

  test.each<[string, readonly LedgerLine[]]>([
    ['a result of a run that did not end', [line('begin', 'a', 'one')]],
    ['a result of a run that was aborted', [line('begin', 'a', 'one'), line('aborted', 'a', 'one')]],
    [
      'an outcome that was told and is not stored',
      [...goodRun, line('complete', 'b', 'two')].toSpliced(2, 1),
    ],
    ['an outcome that was told twice', [...goodRun, line('complete', 'a', 'one')]],
  ])('finds %s', (_, ledger) => {
    expect(judged({ ledger }).unearned).toHaveLength(1);
  });

  test('finds a run before its time', () => {
    expect(
      judged({ ledger: [line('begin', 'a', 'one', { due: 1_500 }), ...goodRun.slice(1)] }).early,
    ).toEqual(['job in a']);
  });
});
