import type { Host } from '../../src/engine/host.js';
import { MonqueError } from '../../src/errors/monque-error.js';
import { MemoryStore } from '../../src/store/memory/memory-store.js';
import type { JobStore } from '../../src/store/port.js';
import { withFaults } from '../engine/engine-on.js';
import { SimulatedFault } from './faults.js';
import { Ledger } from './ledger.js';
import type { MachinePlan, Plan } from './plan.js';
import { Server } from './server.js';
import { SimulatedProcess } from './simulated-process.js';
import { type Store, World } from './world.js';

/** A bug that is planted where a process meets the store. */
export interface PlantedBug {
  /** What the server does wrong for one process. */
  readonly server?: (store: MemoryStore, host: Host, world: World) => Partial<Store>;
  /** What the process does wrong before its calls go out, or with the answers. */
  readonly client?: (store: Store) => Partial<Store>;
}

/** A machine, and the process that runs on it or was the last to run there. */
export interface Machine {
  readonly plan: MachinePlan;
  skew: number;
  process: SimulatedProcess;
}

/** One history under way: the store, the machines, and what callers were promised. */
export class History {
  readonly world: World;
  readonly ledger: Ledger;
  readonly server: Server;
  readonly store: MemoryStore;
  readonly machines: Machine[];
  /** Jobs whose storing was acknowledged. */
  readonly acknowledged = new Set<string>();
  /** Calls of callers that have not been answered. */
  readonly openCalls = new Set<{ readonly process: SimulatedProcess }>();
  /** Resolves when the time of faults is over. */
  readonly calmDown: Promise<void>;
  calm: () => void = () => {};
  readonly #bug: PlantedBug;
  readonly #runs = new Map<number, number>();
  #labels = 0;
  #processes = 0;

  constructor(plan: Plan, bug: PlantedBug = {}, trace?: string[]) {
    this.world = new World(plan, trace);
    this.ledger = new Ledger(this.world);
    this.store = new MemoryStore(() => Math.floor(this.world.now));
    this.server = new Server(this.store, this.ledger);
    this.calmDown = new Promise((resolve) => {
      this.calm = resolve;
    });
    this.#bug = bug;
    this.machines = plan.machines.map((machine) => ({
      plan: machine,
      skew: machine.skew,
      process: this.#processOn(machine, machine.skew),
    }));
  }

  /** Every process that is alive. */
  get alive(): SimulatedProcess[] {
    return this.machines.map(({ process }) => process).filter(({ isAlive }) => isAlive);
  }

  /** The store that carries out the calls of a process. */
  serverFor(host: Host): Store {
    const wrong = this.#bug.server?.(this.store, host, this.world);
    return wrong === undefined ? this.store : override(this.store, wrong);
  }

  /** The store as a process sees it. */
  clientOf(connection: Store): Store {
    const wrong = this.#bug.client?.(connection);
    return wrong === undefined ? connection : override(connection, wrong);
  }

  /** Starts a new process on a machine whose last one is dead. */
  restart(machine: Machine): void {
    machine.process = this.#processOn(machine.plan, machine.skew);
    this.world.say(machine.process.name, () => 'starts');
    void machine.process.boot();
  }

  /** Tells a call that stores a job from all others. */
  nextLabel(): number {
    this.#labels += 1;
    return this.#labels;
  }

  /** How often handlers were called for what one call stored, before this time. */
  countRun(label: number): number {
    const count = this.#runs.get(label) ?? 0;
    this.#runs.set(label, count + 1);
    return count;
  }

  /** Callers and listeners see errors of the store and typed errors of our own, and nothing else. */
  readonly expectError = (error: unknown): void => {
    if (error instanceof SimulatedFault || error instanceof MonqueError) return;
    this.world.violate(
      `an error that nobody expects: ${error instanceof Error ? error.stack : String(error)}`,
    );
  };

  #processOn(plan: MachinePlan, skew: number): SimulatedProcess {
    const index = this.world.plan.machines.indexOf(plan);
    this.#processes += 1;
    const name = `${String.fromCharCode(65 + index)}${this.#processes}`;
    return new SimulatedProcess(this, name, this.#processes, plan, skew);
  }
}

function override(store: Store, wrong: Partial<Store>): Store {
  return withFaults(store as JobStore, wrong as Partial<JobStore>) as Store;
}
