import { inject, injectable } from '@tsed/di';
import type { ObjectId } from 'mongodb';
import { DEFAULT_INSTANCE } from '../constants.js';
import { MonqueService } from './monque-service.js';

/**
 * The services of an application with several Monque instances, by their ids.
 *
 * @example
 * ```ts
 * import { MonqueServices } from '@monque/tsed';
 * import { Injectable } from '@tsed/di';
 *
 * @Injectable()
 * class Statistics {
 *   constructor(private readonly services: MonqueServices) {}
 *
 *   async refresh() {
 *     await this.services.get('analytics').enqueue('refresh', {});
 *   }
 * }
 * ```
 */
export class MonqueServices {
  readonly #byId = new Map<string, MonqueService<unknown>>();

  /** The service of an instance; without an id, that of the default one, which is `MonqueService` itself. */
  get<Id = ObjectId>(id: string = DEFAULT_INSTANCE): MonqueService<Id> {
    let service = this.#byId.get(id);
    if (service === undefined) {
      // Made when first asked for, so that it can be injected before its instance is there.
      service = id === DEFAULT_INSTANCE ? inject(MonqueService) : new MonqueService<unknown>();
      this.#byId.set(id, service);
    }
    return service as MonqueService<Id>;
  }
}

injectable(MonqueServices);
