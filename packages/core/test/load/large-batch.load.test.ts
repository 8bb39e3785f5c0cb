import { spawnScript, testDatabase } from '@monque/test-servers/vitest';
import { expect, test } from 'vitest';
import type { Batch } from '../../src/workflow/batch.js';

const MEMBERS = 100_000;
const PART = 10_000;
const MEGABYTE = 2 ** 20;
/** What single samples differ by. A mere 60 bytes kept of each of 80,000 members would be more. */
const FLAT_MB = 5;

type Message =
  | { readonly of: 'stored' | 'run'; readonly heapUsed: number }
  | { readonly portion: number }
  | { readonly after: number; readonly batch: Batch }
  | { readonly final: string; readonly batch: Batch }
  | { readonly error: string };

const { uri, name } = testDatabase();

test('a batch of 100,000 members is stored, run and followed, with the heap flat', async () => {
  const script = spawnScript(new URL('./fixtures/large-batch.ts', import.meta.url), {
    args: [uri, name, String(MEMBERS), String(PART)],
  });
  const end = await script.waitFor<Message>((message) => 'final' in message, 290_000);
  const messages = script.messages as Message[];
  const heap = (of: 'stored' | 'run') =>
    messages.flatMap((message) =>
      'of' in message && message.of === of ? [message.heapUsed / MEGABYTE] : [],
    );
  const portions = messages.flatMap((message) => ('portion' in message ? [message.portion] : []));
  const reports = messages.filter((message) => 'after' in message);
  console.log(`heap after each ${PART} members, in MB, stored: ${shown(heap('stored'), 1)}`);
  console.log(`heap after each ${PART} members, in MB, run: ${shown(heap('run'), 1)}`);
  console.log(`storing and releasing each portion, in ms: ${shown(portions, 0)}`);
  console.log(
    `what follows began ${shown(
      reports.map(({ after }) => after),
      0,
    )} ms after the last member ended`,
  );

  expect(messages.filter((message) => 'error' in message)).toEqual([]);
  expect(reports).toHaveLength(1);
  expect(reports[0]?.batch).toMatchObject({ total: MEMBERS, counts: { completed: MEMBERS } });
  expect(end).toMatchObject({
    final: 'completed',
    batch: { total: MEMBERS, progress: 1, outcome: 'completed' },
  });
  for (const of of ['stored', 'run'] as const) {
    const sizes = heap(of);
    expect(sizes).toHaveLength(MEMBERS / PART);
    expect(median(sizes.slice(-3)) - median(sizes.slice(1, 4))).toBeLessThan(FLAT_MB);
  }
  expect(await script.exited).toEqual({ code: 0, signal: null });
}, 300_000);

function shown(figures: readonly number[], digits: number): string {
  return figures.map((figure) => figure.toFixed(digits)).join(' ');
}

function median(numbers: readonly number[]): number {
  return numbers.toSorted((one, other) => one - other)[Math.floor(numbers.length / 2)] ?? Number.NaN;
}
