import { MonqueError } from '@monque/core';
import { injectable, ProviderScope } from '@tsed/di';
import { MONQUE_JOB, MONQUE_JOB_CONTEXT } from '../constants.js';

/**
 * Providers for what a run puts into its own container. They are asked outside of runs only, for instance by a singleton
 * at start-up, and say what is wrong instead of giving `undefined`.
 */
export function registerJobTokens(): void {
  for (const token of [MONQUE_JOB, MONQUE_JOB_CONTEXT]) {
    injectable(token)
      .scope(ProviderScope.REQUEST)
      .factory(() => {
        throw new MonqueError(
          `${token} can be injected while a job runs only. Add @Scope(ProviderScope.REQUEST) to the class that asks for it ` +
            `and to those that depend on it, or use context().get(${token})`,
        );
      });
  }
}
