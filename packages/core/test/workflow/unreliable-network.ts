import type { JobStore } from '../../src/store/port.js';
import type { VirtualHost } from '../engine/virtual-host.js';
import type { Random } from '../simulation/random.js';

/** Longest way of a question or an answer, in milliseconds. */
const LONGEST_WAY = 300;

/** What a process has to do with the network. */
export interface NetworkEnd {
  isDead: boolean;
  /** Whether everything works from now on. */
  isCalm: boolean;
}

/** A store as a process reaches it: questions and answers are slow or get lost, and the dead hear nothing any more. */
export function overNetwork(
  store: JobStore<string>,
  end: NetworkEnd,
  host: VirtualHost,
  random: Random,
): JobStore<string> {
  const way = async (): Promise<void> => {
    const ms = end.isCalm ? 1 : random.chance(0.2) ? random.below(LONGEST_WAY) : random.below(15);
    await new Promise<void>((resolve) => void host.after(ms, resolve));
    if (end.isDead) await new Promise(() => {});
  };
  const send = async (call: () => Promise<unknown>): Promise<unknown> => {
    const fate = end.isCalm ? 1 : random.next();
    await way();
    if (fate < 0.03) throw new Error('the question got lost');
    const answer = await call();
    await way();
    if (fate < 0.06) throw new Error('the answer got lost');
    return answer;
  };
  const wrap = <T extends object>(target: T): T =>
    new Proxy(target, {
      get(_, key) {
        const member: unknown = Reflect.get(target, key);
        if (key === 'batches' || key === 'recurring') return wrap(member as object);
        if (typeof member !== 'function') return member;
        // These ask nobody; and a stream that breaks is the business of other histories.
        if (key === 'parseId' || key === 'isRefusal' || key === 'watch') return member.bind(target);
        return (...args: unknown[]) => send(() => Reflect.apply(member, target, args));
      },
    });
  return wrap(store);
}
