import { MonqueError } from '../../errors/monque-error.js';
import { failuresOf } from '../../job/failures.js';
import { failReasonOf, toError } from '../../job/thrown.js';
import type { Outcome, SettleBatch, Settled } from '../../store/settle-types.js';
import type { EngineParts } from '../engine-types.js';
import { GrowingDelay } from '../timing/growing-delay.js';

/** Told of each settlement of the batch, by its place in it; `refused` where a failure was stored instead. */
type Done = (index: number, settled: Settled, refused?: Refused) => void;

/** The failure that took the place of a success whose result could not be stored. */
interface Refused {
  readonly outcome: Outcome;
  readonly error: Error;
}

/** Tries of a batch as a whole, before it is cut: the error might be about one outcome without saying so. */
const TRIES_AS_A_WHOLE = 10;

/**
 * Writes a batch however long it takes. During an outage the batch waits as it is. Where the store refuses
 * what it was given, the batch is cut in half until the one outcome that cannot be stored stands alone, so
 * that it does not keep the others from being stored.
 */
export async function settleStubbornly(batch: SettleBatch, parts: EngineParts, done: Done): Promise<void> {
  await settlePart(batch, 0, parts, done);
}

async function settlePart(batch: SettleBatch, offset: number, parts: EngineParts, done: Done): Promise<void> {
  const delay = new GrowingDelay(parts.host);
  for (let tries = 1; ; tries++) {
    try {
      const settled = await parts.store.settle(batch);
      settled.forEach((one, index) => {
        done(offset + index, one);
      });
      return;
    } catch (thrown) {
      parts.emit('job:error', { error: toError(thrown) });
      const refused = parts.store.isRefusal(thrown);
      const single = batch.items.length === 1;
      if (!single && (refused || tries >= TRIES_AS_A_WHOLE)) return splitPart(batch, offset, parts, done);
      if (refused) return giveUp(batch, offset, toError(thrown), parts, done);
      await delay.wait();
    }
  }
}

async function splitPart(batch: SettleBatch, offset: number, parts: EngineParts, done: Done): Promise<void> {
  const half = Math.ceil(batch.items.length / 2);
  await settlePart({ at: batch.at, items: batch.items.slice(0, half) }, offset, parts, done);
  await settlePart({ at: batch.at, items: batch.items.slice(half) }, offset + half, parts, done);
}

/**
 * The store refuses this one outcome. A result is the only part that a handler controls, so the
 * job fails with the reason instead; where even that is refused, its lease runs out and it is run again.
 */
async function giveUp(
  batch: SettleBatch,
  offset: number,
  error: Error,
  parts: EngineParts,
  done: Done,
): Promise<void> {
  const [item] = batch.items;
  if (item === undefined) return;
  if (!('result' in item.outcome)) return done(offset, { applied: false, job: item.job });
  const refused = new MonqueError(`The result could not be stored: ${error.message}`, { cause: error });
  const outcome: Outcome = {
    type: 'failed',
    failCount: failuresOf(item.job) + 1,
    reason: failReasonOf(refused),
    ...(item.outcome.type === 'repeat' ? { nextRunAt: item.outcome.nextRunAt } : {}),
  };
  await settlePart({ at: batch.at, items: [{ ...item, outcome }] }, offset, parts, (index, settled) => {
    done(index, settled, { outcome, error: refused });
  });
}
