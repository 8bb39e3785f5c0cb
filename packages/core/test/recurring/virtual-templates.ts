import type { TemplateFields } from '@monque/conformance';
import type { MonqueOptions } from '../../src/options/monque-options.js';
import { MemoryStore } from '../../src/store/memory/memory-store.js';
import type { JobStore } from '../../src/store/port.js';
import type { RecurringStore, StoredTemplate, TemplateChange } from '../../src/store/recurring-types.js';
import { type EngineUnderTest, engineOn, withFaults } from '../engine/engine-on.js';
import { VirtualHost } from '../engine/virtual-host.js';

export const MINUTE = 60_000;

/** So many minutes after the begin of virtual time. */
export function minutes(...numbers: number[]): string[] {
  return numbers.map((number) => new Date(Date.UTC(2026, 0, 1) + number * MINUTE).toISOString());
}

/** Virtual machines that share one in-memory store with templates in it. */
export class VirtualTemplates {
  readonly host = new VirtualHost();
  readonly store = new MemoryStore(this.host.trueTime);

  /** Now, or some milliseconds later. */
  at(ms = 0): Date {
    return new Date(this.host.trueTime() + ms);
  }

  /** Lets time pass until then, whatever is set to happen meanwhile. */
  async until(time: string): Promise<void> {
    await this.host.advance(Date.parse(time) - this.host.trueTime());
  }

  /** Stores a template without a next time: a process that runs computes it. */
  async put(id: string, parts: Partial<TemplateChange> = {}): Promise<void> {
    const template = {
      cron: '* * * * *',
      timezone: 'UTC',
      name: 'work',
      data: null,
      misfire: 'once',
    } as const;
    await this.store.recurring.put({ ...template, id, at: this.at(), ...parts });
  }

  /** Changes a stored template the way a person at a prompt does. */
  async byHand(id: string, change: TemplateFields): Promise<void> {
    this.store.recurring.write(id, change);
  }

  async get(id: string): Promise<StoredTemplate<string>> {
    const template = await this.store.recurring.get(id);
    if (template === undefined) throw new Error(`There is no template ${id}`);
    return template;
  }

  /** A process; it runs once it is started. */
  process(
    options: MonqueOptions = {},
    store: JobStore = this.store as JobStore<unknown>,
  ): Promise<EngineUnderTest> {
    return engineOn(store, this.host, options);
  }

  /** The store with some methods for templates replaced. */
  withRecurring(replace: (recurring: RecurringStore) => Partial<RecurringStore>): JobStore {
    const recurring = this.store.recurring as RecurringStore<unknown>;
    return withFaults(this.store as JobStore<unknown>, {
      recurring: withReplaced(recurring, replace(recurring)),
    });
  }

  /** The due times of all jobs, in order. */
  async times(): Promise<string[]> {
    const jobs = await this.store.page({ filter: {}, by: 'nextRunAt', direction: 'asc', limit: 10_000 });
    return jobs.map(({ nextRunAt }) => nextRunAt.toISOString());
  }
}

function withReplaced(recurring: RecurringStore, replaced: Partial<RecurringStore>): RecurringStore {
  return new Proxy(recurring, {
    get(target, key) {
      const own: unknown = Reflect.get(replaced, key);
      const member: unknown = own ?? Reflect.get(target, key);
      return typeof member === 'function' ? member.bind(own === undefined ? target : replaced) : member;
    },
  });
}
