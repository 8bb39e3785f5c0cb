import type { Insert } from '../../src/store/insert-types.js';
import type { JobStore } from '../../src/store/port.js';
import type { RecurringStore } from '../../src/store/recurring-types.js';
import { type EngineUnderTest, withFaults } from '../engine/engine-on.js';
import { Random } from '../simulation/random.js';
import { VirtualTemplates } from './virtual-templates.js';

/** What may be wrong on purpose, so that the histories show that they would find it. */
export type Bug = 'no identity' | 'step before the jobs' | 'no step';

/** How long a history lasts, in milliseconds of virtual time, and how long everything works at its end. */
const TROUBLE_MS = 20_000;
const CALM_MS = 8_000;
/** Processes that run at the same time. One that dies is replaced at once. */
const PROCESSES = 3;
/** Longest way of a question or an answer, in milliseconds. */
const LONGEST_WAY = 400;

/** A process, and the network between it and the store. */
interface SimulatedProcess {
  under?: EngineUnderTest;
  isDead: boolean;
}

/**
 * Three processes fire a template that is due every second. Their questions and answers are slow or get lost, and now
 * and then one of them dies, between any two steps. Answers what was wrong at the end; nothing, if all was well.
 */
export async function playHistory(seed: number, bug?: Bug): Promise<string[]> {
  const random = new Random(seed);
  const virtual = new VirtualTemplates();
  let isCalm = false;
  const processes: SimulatedProcess[] = [];

  const launch = async (): Promise<void> => {
    const process: SimulatedProcess = { isDead: false };
    processes.push(process);
    const way = async () => {
      const ms = isCalm ? 1 : random.chance(0.2) ? random.below(LONGEST_WAY) : random.below(20);
      await new Promise<void>((resolve) => void virtual.host.after(ms, resolve));
      // What a dead process has sent may arrive; it hears nothing any more.
      if (process.isDead) await new Promise(() => {});
    };
    const overNetwork = async <T>(call: () => Promise<T>): Promise<T> => {
      const fate = isCalm ? 1 : random.next();
      await way();
      if (fate < 0.05) throw new Error('the question got lost');
      const answer = await call();
      await way();
      if (fate < 0.1) throw new Error('the answer got lost');
      return answer;
    };
    const stored = virtual.store as JobStore<unknown>;
    const buggy = withBug(virtual.store.recurring as RecurringStore<unknown>, bug);
    const recurring = new Proxy(buggy, {
      get: (target, key) => {
        const member = Reflect.get(target, key) as (...args: unknown[]) => Promise<unknown>;
        return (...args: unknown[]) => overNetwork(() => Reflect.apply(member, target, args));
      },
    });
    const store = withFaults(stored, {
      recurring,
      insert: (inserts) =>
        overNetwork(() => stored.insert(bug === 'no identity' ? inserts.map(withoutIdentity) : inserts)),
    });
    process.under = await virtual.process({ pollInterval: 1_000 }, store);
    process.under.engine.start();
  };

  await virtual.put('tick', { cron: '* * * * * *' });
  for (let index = 0; index < PROCESSES; index++) await launch();
  const end = virtual.at().getTime() + TROUBLE_MS;
  while (virtual.at().getTime() < end) {
    await virtual.host.advance(1 + random.below(1_500));
    if (!random.chance(0.4)) continue;
    const victim = processes.find(({ isDead }) => !isDead);
    if (victim !== undefined) victim.isDead = true;
    await launch();
  }
  isCalm = true;
  // To the middle between two times, when nothing is under way.
  await virtual.host.advance(CALM_MS + 500 - ((virtual.at().getTime() + CALM_MS) % 1_000));
  const problems = await judge(virtual, processes);
  for (const { isDead, under } of processes) {
    if (!isDead) await Promise.all([under?.engine.stop(), virtual.host.advance(LONGEST_WAY * 2)]);
  }
  return problems;
}

async function judge(virtual: VirtualTemplates, processes: readonly SimulatedProcess[]): Promise<string[]> {
  const times = (await virtual.times()).map((time) => Date.parse(time));
  const now = virtual.at().getTime();
  const { nextExecution, lastExecution } = await virtual.get('tick');
  const expected = times.map((_, index) => (times[0] ?? 0) + index * 1_000);
  const fired = processes.flatMap(({ under }) => under?.named('recurring:fired') ?? []);
  const problems: string[] = [];
  if (times.join() !== expected.join())
    problems.push(`jobs for ${times.map((time) => time / 1_000).join(', ')}`);
  if (times.length < (TROUBLE_MS + CALM_MS) / 1_000 - 2) problems.push(`only ${times.length} jobs`);
  if (lastExecution?.getTime() !== times.at(-1)) problems.push(`last is ${lastExecution?.toISOString()}`);
  if (nextExecution === undefined || Math.abs(nextExecution.getTime() - now) > 1_000) {
    problems.push(`next is ${nextExecution?.toISOString()} at ${now}`);
  }
  if (new Set(fired.map(({ job }) => job._id)).size < fired.length) problems.push('an event came twice');
  return problems;
}

function withoutIdentity({ identity: _, ...insert }: Insert): Insert {
  return insert;
}

/** Templates whose store, or whose caller, does something wrong. */
function withBug(recurring: RecurringStore, bug: Bug | undefined): RecurringStore {
  const due: RecurringStore['due'] = async (request) => {
    const templates = await recurring.due(request);
    if (bug === 'step before the jobs') {
      // Where nobody could know: the template moves on as soon as it is read.
      const now = request.until.getTime() - 1_000;
      for (const template of templates) {
        const next = template.nextExecution?.getTime() ?? Number.POSITIVE_INFINITY;
        if (next <= now) await recurring.advance([{ template, next: new Date(next + 1_000) }]);
      }
    }
    return templates;
  };
  return {
    put: (change) => recurring.put(change),
    get: (id) => recurring.get(id),
    list: () => recurring.list(),
    setEnabled: (id, resumeAt, at) => recurring.setEnabled(id, resumeAt, at),
    remove: (id) => recurring.remove(id),
    noteFired: (id, last) => recurring.noteFired(id, last),
    due,
    advance: async (steps) => (bug === 'no step' ? undefined : recurring.advance(steps)),
  };
}
