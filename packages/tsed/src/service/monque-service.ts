import { type Monque, MonqueError } from '@monque/core';
import { injectable } from '@tsed/di';
import type { ObjectId } from 'mongodb';
import { MonqueDelegate } from './delegate.js';

/** Gives a service its instance, or takes it away. For the module alone, so it is no method. */
export let setMonque: (service: MonqueService<unknown>, monque: Monque<unknown> | undefined) => void;

/**
 * Monque for dependency injection: every method of `Monque`, on the instance that the application has started.
 *
 * Before start-up has come that far, `monque` and the synchronous methods throw, and all others reject.
 *
 * @typeParam Id - The store's own kind of id: an `ObjectId` on MongoDB, a string elsewhere.
 *
 * @example
 * ```ts
 * import { MonqueService } from '@monque/tsed';
 * import { Injectable } from '@tsed/di';
 *
 * @Injectable()
 * class Orders {
 *   constructor(private readonly monque: MonqueService) {}
 *
 *   async place(orderId: string) {
 *     await this.monque.enqueue('process-order', { orderId }, { uniqueKey: orderId });
 *   }
 * }
 * ```
 */
export class MonqueService<Id = ObjectId> extends MonqueDelegate<Id> {
  static {
    setMonque = (service, monque) => {
      service.#monque = monque;
    };
  }
  #monque: Monque<unknown> | undefined;

  /**
   * The instance itself.
   *
   * @throws MonqueError before start-up, after shutdown, and where `enabled` is false.
   */
  get monque(): Monque<Id> {
    if (this.#monque !== undefined) return this.#monque as Monque<Id>;
    throw new MonqueError(
      'MonqueService is not initialized. Use it after $onInit, and configure "monque" without "enabled: false" in @Configuration',
    );
  }
}

injectable(MonqueService);
