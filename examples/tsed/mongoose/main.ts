import { PlatformExpress } from '@tsed/platform-express';
import { Server } from './server.js';

const platform = await PlatformExpress.bootstrap(Server);
await platform.listen();

for (const signal of ['SIGINT', 'SIGTERM'] as const) {
  // Waits for running jobs, and closes the connections of Mongoose after them.
  process.once(signal, () => platform.stop());
}
