import { MonqueError } from '@monque/core';
import type { MonqueTsedConfig } from './monque-tsed-config.js';

const STRATEGIES = ['db', 'dbFactory', 'dbToken'] as const;

/**
 * Accepts a configuration that says in exactly one way where jobs are stored.
 *
 * @throws MonqueError
 */
export function validateDatabaseConfig(config: MonqueTsedConfig): void {
  const given = STRATEGIES.filter((strategy) => config[strategy] !== undefined && config[strategy] !== null);
  if (given.length === 1) return;
  if (given.length === 0) {
    throw new MonqueError(
      "MonqueTsedConfig requires exactly one of 'db', 'dbFactory', or 'dbToken' to be set. " +
        'Set one under "monque" in @Configuration, or "enabled: false" there to do without Monque',
    );
  }
  throw new MonqueError(
    "MonqueTsedConfig accepts only one of 'db', 'dbFactory', or 'dbToken' - multiple were provided. " +
      `Keep one of ${given.map((strategy) => `'${strategy}'`).join(' and ')} under "monque" in @Configuration`,
  );
}
