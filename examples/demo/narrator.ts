import type { Monque, PersistedJob } from '@monque/core';
import { blue, bold, cyan, dim, green, red, yellow } from './paint.js';

/** Tells what happens, one line each, and counts it. */
export class Narrator {
  #completed = 0;
  #retried = 0;
  #failed = 0;

  /** Prints a line with the time before it. */
  say(text: string): void {
    console.log(`${dim(new Date().toLocaleTimeString('en-GB'))}  ${text}`);
  }

  listenTo(monque: Monque<string>): void {
    monque.on('job:start', (job) => this.say(`${blue('start')}     ${describe(job)}`));
    monque.on('job:complete', ({ job, duration }) => {
      this.#completed++;
      this.say(`${green('done')}      ${describe(job)} ${dim(`${Math.round(duration)} ms`)}`);
    });
    monque.on('job:fail', ({ job, error, willRetry }) => {
      if (willRetry) {
        this.#retried++;
        const seconds = Math.max(0, job.nextRunAt.getTime() - Date.now()) / 1_000;
        this.say(
          `${yellow('retry')}     ${describe(job)} ${dim(`${error.message}; again in ${seconds.toFixed(1)} s`)}`,
        );
      } else {
        this.#failed++;
        this.say(`${red('failed')}    ${describe(job)} ${dim(`${error.message}; kept as failed`)}`);
      }
    });
    monque.on('job:error', ({ error }) => this.say(`${red('error')}     ${error.message}`));
    monque.on('changestream:connected', () =>
      this.say('new jobs are noticed at once, also those of other processes'),
    );
    monque.on('changestream:fallback', ({ reason }) =>
      this.say(`new jobs are noticed by polling: ${reason}`),
    );
  }

  /** Prints how many jobs there are by status, over all processes. */
  async sayStats(monque: Monque<string>): Promise<void> {
    const { pending, processing, completed, failed } = await monque.getQueueStats();
    this.say(
      bold(
        cyan(
          `queue     ${pending} pending, ${processing} processing, ${completed} completed, ${failed} failed`,
        ),
      ),
    );
  }

  summary(): string {
    return `${this.#completed} runs completed, ${this.#retried} were retried, ${this.#failed} failed for good.`;
  }
}

function describe(job: PersistedJob<unknown, string>): string {
  const data = Object.entries(job.data as object).map(([key, value]) => `${key} ${value}`);
  return `${bold(job.name)} ${data.join(', ')}`.trim();
}
