import { type ChildProcess, fork } from 'node:child_process';
import { once } from 'node:events';
import { fileURLToPath } from 'node:url';
import type { Target } from '../contenders/contender.js';
import type { Commands } from './commands.js';
import type { Answer, Question, Ready } from './protocol.js';

const MAIN = fileURLToPath(new URL('./main.ts', import.meta.url));
/** Without the paths to sources: the packages are measured as they are built. */
const TSCONFIG = fileURLToPath(new URL('../../tsconfig.json', import.meta.url));
const CLOSE_WITHIN_MS = 20_000;

interface Call {
  resolve(result: unknown): void;
  reject(error: Error): void;
}

/** A process in which one system is connected to its server. */
export class BenchProcess {
  readonly #child: ChildProcess;
  readonly #calls = new Map<number, Call>();
  readonly #ready: Promise<void>;
  readonly #exited: Promise<unknown>;
  #lastId = 0;
  #output = '';

  /** @param nodeArgs - For the process's Node, for instance to profile it. */
  constructor(contender: string, target: Target, nodeArgs: readonly string[] = []) {
    this.#child = fork(MAIN, [], {
      env: {
        ...process.env,
        NODE_ENV: 'production',
        TSX_TSCONFIG_PATH: TSCONFIG,
        BENCH_CONTENDER: contender,
        BENCH_TARGET: JSON.stringify(target),
      },
      execArgv: ['--import', import.meta.resolve('tsx'), ...nodeArgs],
      stdio: ['ignore', 'pipe', 'pipe', 'ipc'],
    });
    for (const stream of [this.#child.stdout, this.#child.stderr]) {
      stream?.setEncoding('utf8').on('data', (text: string) => {
        this.#output = `${this.#output}${text}`.slice(-4_000);
      });
    }
    this.#exited = once(this.#child, 'close');
    this.#ready = new Promise((resolve, reject) => {
      this.#child.on('message', (message: Answer | Ready) => {
        if ('ready' in message) resolve();
        else this.#answered(message);
      });
      void this.#exited.then(() => {
        const error = new Error(
          `The process of ${contender} ended early; it wrote:\n${this.#output || '(nothing)'}`,
        );
        reject(error);
        for (const call of this.#calls.values()) call.reject(error);
      });
    });
  }

  /** Resolves when the system is connected. */
  ready(): Promise<void> {
    return this.#ready;
  }

  call<K extends keyof Commands>(command: K, ...args: Parameters<Commands[K]>): ReturnType<Commands[K]> {
    const id = ++this.#lastId;
    const answer = new Promise<unknown>((resolve, reject) => {
      this.#calls.set(id, { resolve, reject });
      this.#child.send({ id, command, args } satisfies Question);
    });
    return answer as ReturnType<Commands[K]>;
  }

  /** Ends the process: in good order if it can, and by force if that takes too long. */
  async close(): Promise<void> {
    const force = setTimeout(() => this.#child.kill('SIGKILL'), CLOSE_WITHIN_MS);
    await this.call('close').catch(() => this.#child.kill('SIGKILL'));
    await this.#exited;
    clearTimeout(force);
  }

  #answered({ id, result, error }: Answer): void {
    const call = this.#calls.get(id);
    this.#calls.delete(id);
    if (error === undefined) call?.resolve(result);
    else call?.reject(new Error(error));
  }
}
