import { MonqueError, type MonqueOptions } from '@monque/core';
import { constant } from '@tsed/di';
import { DEFAULT_INSTANCE } from '../constants.js';
import type { MonqueTsedConfig } from './monque-tsed-config.js';

/** The configured instances by their ids. */
export function monqueConfigs(): Map<string, MonqueTsedConfig> {
  const given = constant<MonqueTsedConfig | MonqueTsedConfig[]>('monque', {});
  const configs = new Map<string, MonqueTsedConfig>();
  for (const config of Array.isArray(given) ? given : [given]) {
    const id = config.id ?? DEFAULT_INSTANCE;
    if (configs.has(id)) {
      throw new MonqueError(
        `Two instances under "monque" in @Configuration have the id "${id}". Give each an "id" of its own`,
      );
    }
    configs.set(id, config);
  }
  return configs;
}

/** What goes to Monque: all but what this package reads itself. Monque refuses what it does not know. */
export function monqueOptionsOf(config: MonqueTsedConfig): MonqueOptions {
  const { id, enabled, db, dbFactory, dbToken, mongooseConnectionId, disableJobProcessing, ...options } =
    config;
  return options;
}
