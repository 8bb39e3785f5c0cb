import { MonqueError } from '@monque/core';
import { inject, injectable, logger, type OnDestroy, type OnInit, ProviderType } from '@tsed/di';
import { holdConnections, releaseConnections } from './config/hold-connections.js';
import { monqueConfigs } from './config/monque-configs.js';
import type { MonqueTsedConfig } from './config/monque-tsed-config.js';
import { validateDatabaseConfig } from './config/validate-database-config.js';
import { findControllers, findHandlers, type Handler } from './jobs/find-handlers.js';
import { registerJobTokens } from './jobs/job-tokens.js';
import { warnAboutScopes } from './jobs/warn-about-scopes.js';
import { type OpenInstance, openInstance } from './open-instance.js';
import { setMonque } from './service/monque-service.js';
import { MonqueServices } from './service/monque-services.js';

/**
 * Starts Monque with the application and stops it with the application. Import it in the root module:
 * `@Configuration({ imports: [MonqueModule], monque: { ... } })`.
 *
 * Start-up fails with the original error where something is wrong, and can be tried again. Shutdown waits for running
 * handlers, for `shutdownTimeout` at most.
 */
export class MonqueModule implements OnInit, OnDestroy {
  readonly #services = inject(MonqueServices);
  readonly #instances = new Map<string, OpenInstance>();
  #opening: Promise<void> | undefined;
  #closing: Promise<void> | undefined;

  /** Ts.ED awaits it: what it throws rejects the application's start-up. */
  async $onInit(): Promise<void> {
    this.#opening ??= this.#open();
    try {
      await this.#opening;
    } catch (error) {
      await this.#close();
      throw error;
    }
  }

  /** Ts.ED calls this while other providers are being destroyed too, and awaits all of them together. */
  async $onDestroy(): Promise<void> {
    // An application may be given up while it starts.
    await this.#opening?.catch(() => undefined);
    await this.#close();
  }

  async #open(): Promise<void> {
    const configs = monqueConfigs();
    const enabled = [...configs].filter(([, config]) => config.enabled !== false);
    if (enabled.length === 0) return;
    for (const [, config] of enabled) validateDatabaseConfig(config);
    const controllers = findControllers();
    const handlers = findHandlers(controllers);
    refuseUnknownInstances(handlers, configs);
    warnAboutScopes(controllers);

    for (const [id, config] of enabled) {
      const own = handlers.filter(({ job }) => job.instance === id);
      const instance = await openInstance(config, own);
      this.#instances.set(id, instance);
      setMonque(this.#services.get(id), instance.monque);
      if (instance.service !== undefined) holdConnections(instance.service, () => this.$onDestroy());
    }
    // Handlers may use any of the services, so that none starts before all are there.
    for (const [id, config] of enabled) {
      if (config.disableJobProcessing !== true) this.#instances.get(id)?.monque.start();
    }
  }

  /** Several may ask for it at the same time, and all of them wait until it is done. */
  #close(): Promise<void> {
    this.#closing ??= this.#closeAll().finally(() => {
      this.#opening = undefined;
      this.#closing = undefined;
    });
    return this.#closing;
  }

  /** First all instances come to rest, then what they have opened is closed: two may share a store. */
  async #closeAll(): Promise<void> {
    await Promise.all([...this.#instances.values()].map(({ monque }) => monque.stop()));
    for (const [id, { monque, service }] of this.#instances) {
      setMonque(this.#services.get(id), undefined);
      try {
        await monque.close();
      } catch (error) {
        // The application ends in any case; a rejection would keep Ts.ED from destroying the rest.
        logger().error({ event: 'MONQUE_CLOSE_ERROR', message: String(error) });
      }
      if (service !== undefined) releaseConnections(service);
    }
    this.#instances.clear();
  }
}

function refuseUnknownInstances(
  handlers: readonly Handler[],
  configs: ReadonlyMap<string, MonqueTsedConfig>,
): void {
  for (const { where, job } of handlers) {
    if (configs.has(job.instance)) continue;
    throw new MonqueError(
      `${where} is for the Monque instance "${job.instance}", which is not configured. Add one with this id under "monque" in ` +
        `@Configuration, or correct "instance" of its controller; there are: ${[...configs.keys()].join(', ')}`,
    );
  }
}

injectable(MonqueModule).type(ProviderType.MODULE);
registerJobTokens();
