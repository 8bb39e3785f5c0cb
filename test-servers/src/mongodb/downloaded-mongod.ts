import { MongoBinary } from 'mongodb-memory-server-core';
import { DryMongoBinary } from 'mongodb-memory-server-core/lib/util/DryMongoBinary.js';
import { MongoBinaryDownloadUrl } from 'mongodb-memory-server-core/lib/util/MongoBinaryDownloadUrl.js';
import { DEFAULT_VERSION } from 'mongodb-memory-server-core/lib/util/resolveConfig.js';
import { cacheFolder } from '../cache-folder.js';
import { firstLine } from '../first-line.js';
import { askMongod, type MongodAnswer } from './mongod.js';

/** How long the download server may take to answer before the search goes on. */
const PROBE_TIMEOUT_MS = 3_000;

/**
 * The mongod that mongodb-memory-server downloads, or has downloaded before. A short request asks first whether
 * the download can be had at all: its own retries would keep a machine without that access waiting.
 */
export async function downloadedMongod(env: NodeJS.ProcessEnv): Promise<MongodAnswer> {
  const version = env.MONGOMS_VERSION || DEFAULT_VERSION;
  const downloadDir = env.MONGOMS_DOWNLOAD_DIR || cacheFolder(env);
  const origin = 'mongodb-memory-server';
  try {
    const options = await DryMongoBinary.generateOptions({ version, downloadDir });
    const cached = await DryMongoBinary.locateBinary(options);
    if (cached) return await askMongod(cached, origin);

    const url = await new MongoBinaryDownloadUrl(options).getDownloadUrl();
    const answer = await fetch(url, { method: 'HEAD', signal: AbortSignal.timeout(PROBE_TIMEOUT_MS) });
    if (!answer.ok) return { missing: `no download of MongoDB ${version}: status ${answer.status}` };

    return await askMongod(await MongoBinary.getPath({ version, downloadDir }), origin);
  } catch (error) {
    return { missing: `no download of MongoDB ${version}: ${firstLine(error)}` };
  }
}
