import { Metadata, nameOf } from '@tsed/core';
import {
  DI_INJECTABLE_PROPS,
  getConstructorDependencies,
  injector,
  logger,
  type Provider,
  ProviderScope,
  type TokenProvider,
} from '@tsed/di';

/**
 * Warns about singletons that depend on a REQUEST-scoped provider: they keep the first one that they get for ever, so all
 * their jobs would share it. Property tokens that are given as `@Inject(TOKEN)` cannot be seen from outside.
 */
export function warnAboutScopes(controllers: readonly Provider[]): void {
  for (const controller of controllers) {
    const path = pathToRequestScope(controller, new Set());
    if (path === undefined) continue;
    const [holder, kept] = path.slice(-2).map((token) => nameOf(token));
    logger().warn({
      event: 'MONQUE_SCOPE_WARNING',
      controller: nameOf(controller.token),
      message:
        `${holder} is a singleton and keeps one ${kept}, which is REQUEST-scoped, for all jobs (${path.map((token) => nameOf(token)).join(' > ')}). ` +
        `Add @Scope(ProviderScope.REQUEST) to ${path
          .slice(0, -1)
          .map((token) => nameOf(token))
          .join(' and to ')}`,
    });
  }
}

/** The way from a singleton to the first REQUEST-scoped provider that it would keep. */
function pathToRequestScope(provider: Provider, seen: Set<TokenProvider>): TokenProvider[] | undefined {
  if (provider.scope !== ProviderScope.SINGLETON || seen.has(provider.token)) return undefined;
  seen.add(provider.token);
  for (const token of dependenciesOf(provider)) {
    const dependency = injector().getProvider(token);
    if (dependency === undefined) continue;
    if (dependency.scope === ProviderScope.REQUEST) return [provider.token, token];
    const path = pathToRequestScope(dependency, seen);
    if (path !== undefined) return [provider.token, ...path];
  }
  return undefined;
}

function dependenciesOf({ deps, useClass }: Provider): TokenProvider[] {
  if (typeof useClass !== 'function') return (deps ?? []).flat() as TokenProvider[];
  const properties: Iterable<string> = useClass.prototype[DI_INJECTABLE_PROPS] ?? [];
  return [
    ...((deps ?? getConstructorDependencies(useClass)).flat() as TokenProvider[]),
    ...[...properties].map((property) => Metadata.getType(useClass.prototype, property)),
  ];
}
