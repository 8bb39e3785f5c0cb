import { execFileSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { cpus, loadavg, release, totalmem, type } from 'node:os';

/** The machine that a run is made on. */
export function describeMachine(): Record<string, string> {
  const processors = cpus();
  return {
    processor: `${processors[0]?.model.trim() || 'unknown'}, ${processors.length} cores, shared by servers and workers`,
    memory: `${Math.round(totalmem() / 1024 ** 3)} GB`,
    system: `${distribution()}, ${type()} ${release()}`,
    node: process.version,
    revision: revision(),
    'load before': describeLoad(processors.length),
  };
}

/** What else the machine was doing, over the minute before the run. */
function describeLoad(cores: number): string {
  const [load = 0] = loadavg();
  const warning = load > cores / 2 ? ': BUSY WITH OTHER THINGS, the figures are worth little' : '';
  return `${load.toFixed(1)} on ${cores} cores${warning}`;
}

function distribution(): string {
  try {
    return /^PRETTY_NAME="?([^"\n]+)/m.exec(readFileSync('/etc/os-release', 'utf8'))?.[1] ?? type();
  } catch {
    return type();
  }
}

/** The commit that was measured. */
function revision(): string {
  try {
    const git = (...args: string[]) => execFileSync('git', args, { encoding: 'utf8' }).trim();
    const changed = git('status', '--porcelain', '--', 'packages') === '' ? '' : ' with changes';
    return `${git('rev-parse', '--short', 'HEAD')}${changed}`;
  } catch {
    return 'unknown';
  }
}
