import { spawnScript, testDatabase } from '@monque/test-servers/vitest';
import { expect, test } from 'vitest';

const JOBS = 200_000;
const PART = 25_000;
const MEGABYTE = 2 ** 20;
/** What single samples differ by. A mere 40 bytes kept of each of 100,000 jobs would be more. */
const FLAT_MB = 3;

type Message = { readonly heapUsed: number } | { readonly ms: number } | { readonly error: string };

const { uri, name } = testDatabase();

test('the heap stays flat over 200,000 jobs', async () => {
  const script = spawnScript(new URL('./fixtures/heap.ts', import.meta.url), {
    args: [uri, name, String(JOBS), String(PART)],
  });
  const end = await script.waitFor<Message>((message) => 'ms' in message, 150_000);
  const messages = script.messages as Message[];
  const sizes = messages.flatMap((message) => ('heapUsed' in message ? [message.heapUsed / MEGABYTE] : []));
  console.log(`heap after each ${PART} jobs, in MB: ${sizes.map((size) => size.toFixed(1)).join(' ')}`);
  console.log(`enqueued and ran ${Math.round((JOBS / ('ms' in end ? end.ms : 0)) * 1_000)} jobs per second`);

  expect(sizes).toHaveLength(JOBS / PART);
  expect(messages.filter((message) => 'error' in message)).toEqual([]);
  // After the first part everything that is made once has been made; the two medians are 100,000 jobs apart.
  expect(median(sizes.slice(-3)) - median(sizes.slice(1, 4))).toBeLessThan(FLAT_MB);
  expect(await script.exited).toEqual({ code: 0, signal: null });
}, 180_000);

function median(numbers: readonly number[]): number {
  return numbers.toSorted((one, other) => one - other)[Math.floor(numbers.length / 2)] ?? Number.NaN;
}
