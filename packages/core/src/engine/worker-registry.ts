import { WorkerRegistrationError } from '../errors/input-errors.js';
import type { JobDefinition } from '../job/definition.js';
import type { JobHandler, WorkerOptions } from '../job/handler.js';

/** A registered handler and how to run it. */
export interface Worker {
  readonly name: string;
  readonly handler: JobHandler<unknown, unknown, unknown>;
  readonly concurrency: number;
  readonly options: WorkerOptions<unknown, unknown>;
  /** Present where the worker was registered with a definition. */
  readonly definition?: JobDefinition;
}

/** Who handles which name in this process. */
export class WorkerRegistry {
  readonly #workers = new Map<string, Worker>();

  /**
   * @param replace - Take the place of a worker of the same name; runs that are under way end with the old handler.
   */
  add(worker: Worker, replace: boolean): void {
    if (this.#workers.has(worker.name) && !replace) {
      throw new WorkerRegistrationError(
        `A worker for "${worker.name}" is registered already. Use another name, or pass { replace: true } to replace it`,
        worker.name,
      );
    }
    this.#workers.set(worker.name, worker);
  }

  get(name: string): Worker | undefined {
    return this.#workers.get(name);
  }

  all(): Iterable<Worker> {
    return this.#workers.values();
  }

  get names(): string[] {
    return [...this.#workers.keys()];
  }
}
