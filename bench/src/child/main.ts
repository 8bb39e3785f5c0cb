/** The process that one system runs in: connects it, then answers what the benchmark asks until it is closed. */
import type { Target } from '../contenders/contender.js';
import { loadContender } from '../contenders/load.js';
import { Operator } from './operator.js';
import type { Answer, Question } from './protocol.js';

const { BENCH_CONTENDER = '', BENCH_TARGET = '{}' } = process.env;

// A benchmark that was killed leaves nothing running.
process.on('disconnect', () => process.exit(1));

const profile = await loadContender(BENCH_CONTENDER);
const operator = new Operator(await profile.connect(JSON.parse(BENCH_TARGET) as Target));

process.on('message', async ({ id, command, args }: Question) => {
  let answer: Answer;
  try {
    const method = operator[command] as (...args: unknown[]) => Promise<unknown>;
    answer = { id, result: await method.apply(operator, [...args]) };
  } catch (error) {
    answer = { id, error: error instanceof Error ? (error.stack ?? error.message) : String(error) };
  }
  // Some systems keep connections or timers after their end, so the process ends itself.
  process.send?.(answer, () => {
    if (command === 'close') process.exit(0);
  });
});
process.send?.({ ready: true });
