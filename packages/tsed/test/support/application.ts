import type { PersistedJob } from '@monque/core';
import { MonqueService, type MonqueTsedConfig } from '@monque/tsed';
import { destroyInjector, GlobalProviders, inject, type TokenProvider } from '@tsed/di';
import { PlatformExpress } from '@tsed/platform-express';
import type { PlatformBuilder } from '@tsed/platform-http';
import { onTestFinished } from 'vitest';

/** Longest time that any signal in these tests may take. */
export const DEADLINE_MS = 20_000;

class Server {}

export interface BootOptions extends Partial<TsED.Configuration> {
  /** The root module; an empty one unless given. */
  readonly root?: new () => object;
  readonly monque?: MonqueTsedConfig | readonly MonqueTsedConfig[];
}

/** Boots a real application on Express, quiet and without a port, and ends it with the current test. */
export async function boot({ root = Server, ...settings }: BootOptions): Promise<PlatformBuilder> {
  // Here and not at the end: a start-up that fails half-way must leave nothing to the next test.
  onTestFinished(() => destroyInjector());
  const platform = await PlatformExpress.bootstrap(root, {
    httpPort: false,
    httpsPort: false,
    logger: { level: 'off', disableBootstrapLog: true, disableRoutesSummary: true },
    ...settings,
  });
  await platform.listen();
  return platform;
}

/** Enqueues a job and waits for its end. */
export async function perform(
  name: string,
  data: unknown,
  service: MonqueService = inject(MonqueService),
): Promise<PersistedJob | null> {
  const { _id } = await service.enqueue(name, data);
  return service.waitForJob(_id, { timeout: DEADLINE_MS });
}

/** Takes classes that a test has declared out of Ts.ED's global registry when the test is over. */
export function onlyInThisTest(...tokens: TokenProvider[]): void {
  onTestFinished(() => {
    for (const token of tokens) GlobalProviders.delete(token);
  });
}
