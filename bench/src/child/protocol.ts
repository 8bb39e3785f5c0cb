import type { Commands } from './commands.js';

/** A call of one of the commands. */
export interface Question {
  readonly id: number;
  readonly command: keyof Commands;
  readonly args: readonly unknown[];
}

/** Its result, or the text of its error. */
export interface Answer {
  readonly id: number;
  readonly result?: unknown;
  readonly error?: string;
}

/** Sent once, when the system is connected. */
export interface Ready {
  readonly ready: true;
}
