import type { MongooseServiceLike } from './monque-tsed-config.js';

/**
 * Lets a Mongoose service close its connections only when Monque has come to rest. Ts.ED destroys all providers at the same
 * time, so without this the connections would be gone while jobs still end, and their results with them.
 */
export function holdConnections(service: MongooseServiceLike, rest: () => Promise<void>): void {
  const close = service.closeConnections;
  if (close === undefined || Object.hasOwn(service, 'closeConnections')) return;
  Object.defineProperty(service, 'closeConnections', {
    value: async () => {
      await rest();
      await close.call(service);
    },
    configurable: true,
  });
}

/** Gives a service its own method back, which it has from its class. */
export function releaseConnections(service: MongooseServiceLike): void {
  Reflect.deleteProperty(service, 'closeConnections');
}
