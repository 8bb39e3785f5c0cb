import { execFile } from 'node:child_process';
import { existsSync, readdirSync } from 'node:fs';
import { delimiter, join } from 'node:path';
import { promisify } from 'node:util';
import { askPrograms, type ProgramsAnswer } from './programs.js';

const run = promisify(execFile);

/** Where Debian keeps one folder per version. */
const DEBIAN = '/usr/lib/postgresql';

/** The programs of an installed PostgreSQL: on `PATH`, where `pg_config` says, or where Debian puts them. */
export async function machinePrograms(env: NodeJS.ProcessEnv): Promise<ProgramsAnswer> {
  const onPath = (env.PATH ?? '').split(delimiter).filter((folder) => folder !== '');
  const folders = [...onPath, ...(await configuredFolder(env)), ...debianFolders()];
  const reasons: string[] = [];
  for (const folder of new Set(folders)) {
    if (!existsSync(join(folder, 'initdb')) || !existsSync(join(folder, 'postgres'))) continue;
    const answer = await askPrograms(folder, 'this machine');
    if (!('missing' in answer)) return answer;
    reasons.push(answer.missing);
  }
  return { missing: reasons.join('; ') || 'no initdb and postgres on this machine' };
}

async function configuredFolder(env: NodeJS.ProcessEnv): Promise<string[]> {
  try {
    return [(await run('pg_config', ['--bindir'], { env, timeout: 10_000 })).stdout.trim()];
  } catch {
    return [];
  }
}

/** Newest version first. */
function debianFolders(): string[] {
  if (!existsSync(DEBIAN)) return [];
  return readdirSync(DEBIAN)
    .sort((a, b) => Number(b) - Number(a))
    .map((version) => join(DEBIAN, version, 'bin'));
}
