import { ask, type Operation, type Query } from '../operation.js';
import type { TypeNames } from '../rows/type-names.js';

/** A text of `TypeName` under which jobs of a wanted name wait. */
export interface Source {
  readonly name: string;
  readonly text: string;
}

/**
 * Asks for the first text of a waiting job that begins so and comes after another one, in the database's own order of
 * texts.
 */
export type NextText = (prefix: string, after: string) => Query;

/**
 * The same where texts are in the order of their bytes: the comma, with which prefixes end, is followed by the hyphen.
 *
 * @param sql - Asks for the first text between its two values.
 */
export function nextTextByBytes(sql: string): NextText {
  return (prefix, after) => ({ sql, parameters: [after, `${prefix.slice(0, -1)}-`] });
}

/** How long it is known which texts there are, in milliseconds. */
const KNOWN_FOR_MS = 1_000;

/**
 * The texts that stand for job names. Where a mapping names only what comes before the first comma, the rest is
 * whatever JobSharp wrote: then those texts are looked for among the waiting jobs, now and then.
 */
export class WaitingTexts {
  readonly #names: TypeNames;
  readonly #nextText: NextText;
  readonly #found = new Map<string, { texts: string[]; at: number }>();

  constructor(names: TypeNames, nextText: NextText) {
    this.#names = names;
    this.#nextText = nextText;
  }

  /** The texts where nothing has to be asked for: without a mapping, names stand for themselves. */
  known(names: readonly string[]): Source[] | undefined {
    return this.#names.isEmpty ? names.map((name) => ({ name, text: name })) : undefined;
  }

  *of(names: readonly string[]): Operation<Source[]> {
    const known = this.known(names);
    if (known !== undefined) return known;
    const sources: Source[] = [];
    for (const name of names) {
      const { texts, prefixes } = this.#names.matchOf(name);
      const found = new Set(texts);
      for (const prefix of prefixes) for (const text of yield* this.#beginning(prefix)) found.add(text);
      for (const text of found) if (this.#names.nameOf(text) === name) sources.push({ name, text });
    }
    return sources;
  }

  /**
   * Forgets what was found for these names before this time.
   *
   * @returns whether there was anything: what was done since then may rest on it.
   */
  forget(names: readonly string[], before: number): boolean {
    if (this.#found.size === 0) return false;
    let isForgotten = false;
    for (const prefix of names.flatMap((name) => this.#names.matchOf(name).prefixes)) {
      const known = this.#found.get(prefix);
      if (known !== undefined && known.at < before) isForgotten = this.#found.delete(prefix);
    }
    return isForgotten;
  }

  *#beginning(prefix: string): Operation<readonly string[]> {
    const known = this.#found.get(prefix);
    const now = performance.now();
    if (known !== undefined && now - known.at < KNOWN_FOR_MS) return known.texts;
    const texts: string[] = [];
    for (let last = prefix; ; ) {
      const { rows } = yield* ask(this.#nextText(prefix, last));
      const next = rows[0]?.[0];
      if (typeof next !== 'string') break;
      texts.push(next);
      last = next;
    }
    this.#found.set(prefix, { texts, at: now });
    return texts;
  }
}
