import { vi } from 'vitest';
import { WakeSignal } from '../../src/engine/dispatch/wake-signal.js';
import { HeldRuns } from '../../src/engine/execute/held-runs.js';
import { Contact } from '../../src/engine/lease/contact.js';
import { ServerClock } from '../../src/engine/server-clock.js';
import { Settler } from '../../src/engine/settle/settler.js';
import { ACTIVE_STATUSES } from '../../src/job/status.js';
import type { MemoryStore } from '../../src/store/memory/memory-store.js';
import { UniqueKeys } from '../../src/store/memory/unique-keys.js';
import type { Settlement } from '../../src/store/settle-types.js';
import type { PlantedBug } from './history.js';
import type { Stored } from './ledger.js';
import type { Profile } from './plans.js';
import { ProcessHost } from './process-host.js';
import { minutesOf } from './settle-rules.js';
import type { World } from './world.js';

/** A mistake that job systems have made, and the kind of history that should bring it to light. */
export interface Bug extends PlantedBug {
  readonly name: string;
  readonly profile: Profile;
  /** Plants it inside the engine or the store; taken back by `vi.restoreAllMocks`. */
  readonly patch?: () => void;
}

const MINUTE = 60_000;

/** Time between the two steps of what should be one. */
const BETWEEN_MS = 3;

export const BUGS: readonly Bug[] = [
  {
    name: 'an outcome is written whatever claim holds',
    profile: 'network',
    server: (store) => ({
      settle: async ({ at, items }) => {
        const held = await Promise.all(items.map(async (item) => (await read(store, item))?.claimToken));
        return store.settle({
          at,
          items: items.map((item, index) => ({ ...item, token: held[index] ?? item.token })),
        });
      },
    }),
  },
  {
    name: 'a heartbeat renews whatever claim holds',
    profile: 'crashes',
    server: (store) => ({
      renew: async (_owner, claims) => {
        for (const { _id, claimedBy, claimToken } of await store.get(claims.map(({ id }) => id))) {
          if (claimedBy && claimToken) await store.renew(claimedBy, [{ id: _id, token: claimToken }]);
        }
        return [];
      },
    }),
  },
  {
    name: 'recovery goes by the clock of the host',
    profile: 'crashes',
    server: (store, host, world) => ({
      recover: (request) => {
        const ahead = host.wallClock() - world.now;
        const lockTimeout = request.lockTimeout - ahead;
        return store.recover({ ...request, lockTimeout, legacyLockTimeout: lockTimeout });
      },
    }),
  },
  {
    name: 'recovery goes by the time of the claim, not of the heartbeat',
    profile: 'crashes',
    server: (store) => ({ renew: (owner, claims) => store.verify(owner, claims) }),
  },
  {
    name: 'a claim does not look whether the job is still pending',
    profile: 'crashes',
    server: (store, _host, world) => ({
      claim: async ({ owner, token, wants, total, now, heartbeatInterval }) => {
        const names = wants.map(({ name }) => name);
        const filter = { statuses: ['pending'] as const, nextRunAt: { to: now } };
        const due = await store.page({ filter, by: 'id', direction: 'asc', limit: 100 });
        const taken = due.filter(({ name }) => names.includes(name)).slice(0, Math.min(total, 1));
        if (taken.length > 0) await between(world);
        const at = await store.now();
        const claim = {
          claimedBy: owner,
          claimToken: token,
          lockedAt: at,
          lastHeartbeat: at,
          heartbeatInterval,
        };
        const jobs = taken.map((job): Stored => ({ ...job, ...claim, status: 'processing', updatedAt: at }));
        for (const job of jobs) await store.write({ ...job });
        return { jobs, more: due.length > taken.length };
      },
    }),
  },
  {
    name: 'unstarted claims are not given back',
    profile: 'crashes',
    server: () => ({ release: async () => {} }),
  },
  {
    name: 'an outcome whose answer was lost moves the series on once more',
    profile: 'network',
    server: (store) => {
      const seen = new Set<string>();
      return {
        settle: async (batch) => {
          for (const item of batch.items) {
            const job = await read(store, item);
            const key = `${item.job._id} ${item.token}`;
            if (seen.has(key) && job?.repeatInterval !== undefined && job.claimToken !== item.token) {
              await store.write({ ...job, nextRunAt: new Date(job.nextRunAt.getTime() + MINUTE) });
            }
            seen.add(key);
          }
          return store.settle(batch);
        },
      };
    },
  },
  {
    name: 'an outcome that is sent again has a new time, and is not known again',
    profile: 'network',
    server: (store) => ({ settle: async ({ items }) => store.settle({ at: await store.now(), items }) }),
  },
  {
    name: 'a unique key is looked for first, and taken then',
    profile: 'callers',
    patch: () => void vi.spyOn(UniqueKeys.prototype, 'holderAgainst').mockReturnValue(undefined),
    server: (store, _host, world) => ({
      insert: async (inserts) => {
        const holders = await Promise.all(
          inserts.map(async ({ job: { name, uniqueKey } }) => {
            if (uniqueKey === undefined) return undefined;
            const filter = { name, uniqueKey, statuses: ACTIVE_STATUSES };
            return (await store.page({ filter, by: 'id', direction: 'asc', limit: 1 }))[0];
          }),
        );
        await between(world);
        const inserted = await store.insert(inserts.filter((_insert, index) => holders[index] === undefined));
        return holders.map((job) =>
          job === undefined ? (inserted.shift() as (typeof inserted)[0]) : { job, outcome: 'existing' },
        );
      },
    }),
  },
  {
    name: 'what is due is decided by the clock of the host',
    profile: 'crashes',
    patch: () => void vi.spyOn(ServerClock.prototype, 'refresh').mockResolvedValue(),
  },
  {
    name: 'an outcome that cannot be stored at once is dropped',
    profile: 'network',
    client: (store) => ({
      settle: (batch) =>
        store.settle(batch).catch(() => batch.items.map(({ job }) => ({ applied: false, job }))),
    }),
  },
  {
    name: 'the next occurrence is counted from the time of the write',
    profile: 'outages',
    server: (store, _host, world) => ({
      settle: ({ at, items }) => store.settle({ at, items: items.map((item) => laterSeries(item, world)) }),
    }),
  },
  {
    name: 'the next occurrence is counted from the last one, however long ago that was',
    profile: 'crashes',
    server: (store) => ({
      settle: ({ at, items }) => store.settle({ at, items: items.map(nextSeries) }),
    }),
  },
  {
    name: 'a claim is not renewed while its handler runs',
    profile: 'crashes',
    patch: () => void vi.spyOn(HeldRuns.prototype, 'claims').mockReturnValue([]),
  },
  {
    name: 'the outcome of a cancelled run takes the place of the cancellation',
    profile: 'callers',
    server: (store) => ({
      settle: async (batch) => {
        for (const item of batch.items) {
          const job = await read(store, item);
          if (job?.status === 'cancelled') {
            await store.write({ ...job, status: 'processing', claimToken: item.token });
          }
        }
        return store.settle(batch);
      },
    }),
  },
  {
    name: 'claims of owners that could not renew are taken right after an outage',
    profile: 'outages',
    patch: () => void vi.spyOn(Contact.prototype, 'steady', 'get').mockReturnValue(true),
  },
  {
    name: 'a process has one token for all its claims',
    profile: 'crashes',
    patch: () => {
      const tokens = new WeakMap<ProcessHost, string>();
      vi.spyOn(ProcessHost.prototype, 'uniqueText').mockImplementation(function (this: ProcessHost) {
        const token = tokens.get(this) ?? String(this.random());
        tokens.set(this, token);
        return token;
      });
    },
  },
  {
    name: 'an outcome that came too late is told as if it were stored',
    profile: 'crashes',
    server: (store) => ({
      settle: async (batch) => (await store.settle(batch)).map((settled) => ({ ...settled, applied: true })),
    }),
  },
  {
    name: 'an insert whose answer was lost is sent again as a new one',
    profile: 'network',
    client: (store) => ({
      insert: (inserts) =>
        store.insert(inserts).catch(() => store.insert(inserts.map((insert) => ({ ...insert })))),
    }),
  },
  {
    name: 'the outcomes of a batch are mixed up',
    profile: 'callers',
    client: (store) => ({
      settle: ({ at, items }) => {
        const outcomes = items.map(({ outcome }) => outcome).reverse();
        return store.settle({
          at,
          items: items.map((item, index) => ({ ...item, outcome: outcomes[index]! })),
        });
      },
    }),
  },
  {
    name: 'a shutdown does not wait for outcomes to be stored',
    profile: 'crashes',
    patch: () => void vi.spyOn(Settler.prototype, 'flush').mockResolvedValue(),
  },
  {
    name: 'a freed slot wakes nobody',
    profile: 'callers',
    patch: () => void vi.spyOn(WakeSignal.prototype, 'notify').mockReturnValue(),
  },
];

async function read(store: MemoryStore, { job }: Settlement<string>): Promise<Stored | undefined> {
  return (await store.get([job._id]))[0];
}

function between(world: World): Promise<void> {
  return new Promise((resolve) => void world.timeline.after(BETWEEN_MS, resolve));
}

function laterSeries(item: Settlement<string>, world: World): Settlement<string> {
  if (item.outcome.type !== 'repeat') return item;
  const step = minutesOf(item.job) * MINUTE;
  const nextRunAt = new Date((Math.floor(world.now / step) + 1) * step);
  return { ...item, outcome: { ...item.outcome, nextRunAt } };
}

function nextSeries(item: Settlement<string>): Settlement<string> {
  if (item.outcome.type !== 'repeat') return item;
  const step = minutesOf(item.job) * MINUTE;
  const nextRunAt = new Date((Math.floor(item.job.nextRunAt.getTime() / step) + 1) * step);
  return { ...item, outcome: { ...item.outcome, nextRunAt } };
}
