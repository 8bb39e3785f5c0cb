import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { setTimeout } from 'node:timers/promises';
import pg from 'pg';
import { firstLine } from '../first-line.js';
import type { UnprivilegedUser } from './unprivileged-user.js';

const START_DEADLINE_MS = 60_000;

interface Cluster {
  readonly program: string;
  readonly data: string;
  readonly port: number;
  readonly user: UnprivilegedUser | undefined;
}

/**
 * The main process of a PostgreSQL server, which may come and go. A crash of it loses nothing that was committed:
 * the system's file cache outlives it, so the data need not be forced to the disk.
 */
export class Postmaster {
  readonly url: string;
  readonly #cluster: Cluster;
  #child: ChildProcess | undefined;
  #exited: Promise<unknown> = Promise.resolve();
  #output = '';

  constructor(cluster: Cluster) {
    this.#cluster = cluster;
    this.url = `postgres://postgres@127.0.0.1:${cluster.port}/postgres`;
  }

  get pid(): number {
    if (this.#child?.pid === undefined) throw new Error('PostgreSQL was not started');
    return this.#child.pid;
  }

  kill(signal: NodeJS.Signals): void {
    this.#child?.kill(signal);
  }

  /** Waits for the last process to be gone, and starts one; resolves when it answers. */
  async start(): Promise<void> {
    await this.#exited;
    const deadline = Date.now() + START_DEADLINE_MS;
    let problem = '';
    this.#spawn();
    while (Date.now() < deadline) {
      // After a crash, processes of the old server may hold its memory for a moment: the new one refuses to start.
      if (this.#child?.exitCode !== null) this.#spawn();
      problem = await this.#ask();
      if (problem === '') return;
      await setTimeout(50);
    }
    this.kill('SIGKILL');
    throw new Error(`PostgreSQL does not start: ${problem}; it wrote:\n${this.#output}`);
  }

  /** A fast shutdown: connections are broken, nothing is lost. */
  async stop(): Promise<void> {
    // One that a test has suspended would not hear the request to end.
    this.kill('SIGCONT');
    this.kill('SIGINT');
    await this.#exited;
  }

  #spawn(): void {
    const { program, data, port, user } = this.#cluster;
    const settings = {
      listen_addresses: '127.0.0.1',
      port,
      unix_socket_directories: '',
      fsync: 'off',
      shared_buffers: '64MB',
    };
    const args = Object.entries(settings).flatMap(([name, value]) => ['-c', `${name}=${value}`]);
    // A process group of its own: Ctrl-C in a terminal reaches us alone, and we end the server after what uses it.
    const child = spawn(program, ['-D', data, ...args], {
      stdio: ['ignore', 'ignore', 'pipe'],
      detached: true,
      cwd: data,
      ...user,
    });
    this.#child = child;
    child.stderr?.setEncoding('utf8').on('data', (text: string) => {
      this.#output = (this.#output + text).slice(-10_000);
    });
    child.on('error', (error) => {
      this.#output += String(error);
    });
    const watcher = watchOver(child);
    this.#exited = once(child, 'exit').then(
      () => watcher?.kill('SIGKILL'),
      () => {},
    );
  }

  /** Why it does not answer yet, or nothing. */
  async #ask(): Promise<string> {
    const client = new pg.Client({ connectionString: this.url, connectionTimeoutMillis: 5_000 });
    client.on('error', () => {});
    try {
      await client.connect();
      await client.query('SELECT 1');
      return '';
    } catch (error) {
      return firstLine(error) || 'no answer';
    } finally {
      await client.end().catch(() => {});
    }
  }
}

/** Ends the server should we be killed outright: its pipe to us closes, whatever way we go. */
function watchOver(server: ChildProcess): ChildProcess | undefined {
  if (server.pid === undefined) return undefined;
  const watcher = spawn('sh', ['-c', 'read _; kill -QUIT "$1"', 'sh', String(server.pid)], {
    stdio: ['pipe', 'ignore', 'ignore'],
    detached: true,
  });
  watcher.on('error', () => {});
  watcher.stdin?.on('error', () => {});
  watcher.unref();
  return watcher;
}
