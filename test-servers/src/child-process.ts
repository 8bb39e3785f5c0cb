import { type ChildProcess, fork } from 'node:child_process';
import { EventEmitter, once } from 'node:events';
import { fileURLToPath } from 'node:url';
import { bundleScript } from './bundle-script.js';

export interface SpawnScriptOptions {
  /** Added to this process's environment. */
  readonly env?: Readonly<Record<string, string>>;
  readonly args?: readonly string[];
}

/** How a process ended: one of the two is null. */
export interface ScriptExit {
  readonly code: number | null;
  readonly signal: NodeJS.Signals | null;
}

/**
 * A TypeScript program that runs in a process of its own. It tells its parent things by `process.send?.(message)`.
 * It never outlives the process that started it.
 *
 * @example
 * ```ts
 * await using worker = spawnScript(new URL('./fixtures/worker.ts', import.meta.url), { env: { URI: uri } });
 * await worker.waitFor((message) => message === 'ready');
 * worker.kill('SIGKILL');
 * await worker.exited;
 * ```
 */
export class Script implements AsyncDisposable {
  /** Resolves, and never rejects, once the process has ended. */
  readonly exited: Promise<ScriptExit>;
  /** Every message so far, oldest first. */
  readonly messages: unknown[] = [];
  readonly #child: ChildProcess;
  readonly #path: string;
  /** Tells of every message and every piece of output. */
  readonly #news = new EventEmitter();
  #output = '';

  constructor(path: string | URL, { env = {}, args = [] }: SpawnScriptOptions = {}) {
    this.#path = path instanceof URL ? fileURLToPath(path) : path;
    this.#child = fork(bundleScript(this.#path), [...args], {
      env: { ...process.env, ...env },
      execArgv: ['--enable-source-maps'],
      stdio: ['ignore', 'pipe', 'pipe', 'ipc'],
    });
    this.#child.on('message', (message) => {
      this.messages.push(message);
      this.#news.emit('news');
    });
    for (const stream of [this.#child.stdout, this.#child.stderr]) {
      stream?.setEncoding('utf8').on('data', (text: string) => {
        this.#output += text;
        this.#news.emit('news');
      });
    }
    this.exited = once(this.#child, 'close').then(
      ([code, signal]) => ({ code, signal }) as ScriptExit,
      (error) => {
        this.#output += String(error);
        return { code: 1, signal: null };
      },
    );
  }

  get pid(): number | undefined {
    return this.#child.pid;
  }

  /** What it has written to its standard output and standard error. */
  get output(): string {
    return this.#output;
  }

  /** Sends a message; the program receives it by `process.on('message')`. */
  send(message: object | string): void {
    this.#child.send(message);
  }

  kill(signal: NodeJS.Signals = 'SIGTERM'): void {
    this.#child.kill(signal);
  }

  /**
   * Resolves with the first message, past or future, that fits.
   *
   * @throws when none does within the deadline, or the process ends without sending it. The error shows its output.
   */
  waitFor<T = unknown>(fits: (message: T) => boolean, deadlineMs = 15_000): Promise<T> {
    return this.#waitUntil(() => (this.messages as T[]).find(fits), 'expected message', deadlineMs);
  }

  /** The same for what it writes: resolves with the whole output so far, once the pattern is in it. */
  waitForOutput(pattern: RegExp, deadlineMs = 15_000): Promise<string> {
    return this.#waitUntil(
      () => (pattern.test(this.#output) ? this.#output : undefined),
      String(pattern),
      deadlineMs,
    );
  }

  /** Ends the process if it still runs, and waits until it is gone. */
  async [Symbol.asyncDispose](): Promise<void> {
    if (this.#child.exitCode === null && this.#child.signalCode === null) this.#child.kill('SIGKILL');
    await this.exited;
  }

  async #waitUntil<T>(find: () => T | undefined, what: string, deadlineMs: number): Promise<T> {
    const deadline = AbortSignal.timeout(deadlineMs);
    let ended = false;
    const end = this.exited.then(() => {
      ended = true;
    });
    for (;;) {
      const found = find();
      if (found !== undefined) return found;
      if (ended) throw this.#failure(`ended without ${what}`);
      if (deadline.aborted) throw this.#failure(`sent no ${what} within ${deadlineMs} ms`);
      await Promise.race([once(this.#news, 'news', { signal: deadline }).catch(() => {}), end]);
    }
  }

  #failure(what: string): Error {
    return new Error(`${this.#path} ${what}; it wrote:\n${this.#output || '(nothing)'}`);
  }
}
