import { Redis } from 'ioredis';
import type { ServerAnswer } from './bench-server.js';

const LOCAL = 'redis://127.0.0.1:6379/9';

/** The server that `REDIS_URL` names, else the local one. All keys have the run's own prefix, and go after it. */
export async function findRedis(prefix: string): Promise<ServerAnswer> {
  const uri = process.env.REDIS_URL || LOCAL;
  const redis = new Redis(uri, { lazyConnect: true, retryStrategy: () => null });
  redis.on('error', () => {});
  try {
    await redis.connect();
  } catch (error) {
    const reason = String((error as Error).message);
    return {
      missing: `No Redis at ${new URL(uri).host} (${reason}). Set REDIS_URL to a server that answers`,
    };
  }
  const version = /redis_version:(\S+)/.exec(await redis.info('server'))?.[1];
  const setting = async (name: string) => (await redis.config('GET', name).catch(() => []))[1] ?? 'unknown';
  return {
    kind: 'redis',
    uri,
    description: `Redis ${version}, appendonly ${await setting('appendonly')}, save "${await setting('save')}"`,
    clear: (namespace) => removeKeys(redis, `${namespace}:*`),
    stop: async () => {
      await removeKeys(redis, `${prefix}*`);
      await redis.quit();
    },
  };
}

async function removeKeys(redis: Redis, pattern: string): Promise<void> {
  for await (const keys of redis.scanStream({ match: pattern, count: 10_000 }) as AsyncIterable<string[]>) {
    for (let start = 0; start < keys.length; start += 1_000)
      await redis.unlink(keys.slice(start, start + 1_000));
  }
}
