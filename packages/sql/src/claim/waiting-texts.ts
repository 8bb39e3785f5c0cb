import { ask, type Operation, type Query } from '../operation.js';
import type { TypeNames } from '../rows/type-names.js';

/** A text of `TypeName` under which jobs of a wanted name wait. */
export interface Source {
  readonly name: string;
  readonly text: string;
}

/** How long it is known which texts there are, in milliseconds. */
const KNOWN_FOR_MS = 1_000;

/**
 * The texts that stand for job names. Where a mapping names only what comes before the first comma, the rest is
 * whatever JobSharp wrote: then those texts are looked for among the waiting jobs, now and then.
 */
export class WaitingTexts {
  readonly #names: TypeNames;
  readonly #nextText: (after: string, before: string) => Query;
  readonly #found = new Map<string, { texts: string[]; at: number }>();

  /** @param nextText - Asks for the first text of a waiting job that lies between two others. */
  constructor(names: TypeNames, nextText: (after: string, before: string) => Query) {
    this.#names = names;
    this.#nextText = nextText;
  }

  *of(names: readonly string[]): Operation<Source[]> {
    if (this.#names.isEmpty) return names.map((name) => ({ name, text: name }));
    const sources: Source[] = [];
    for (const name of names) {
      const { texts, prefixes } = this.#names.matchOf(name);
      const found = new Set(texts);
      for (const prefix of prefixes) for (const text of yield* this.#beginning(prefix)) found.add(text);
      for (const text of found) if (this.#names.nameOf(text) === name) sources.push({ name, text });
    }
    return sources;
  }

  *#beginning(prefix: string): Operation<readonly string[]> {
    const known = this.#found.get(prefix);
    const now = performance.now();
    if (known !== undefined && now - known.at < KNOWN_FOR_MS) return known.texts;
    const texts: string[] = [];
    // The comma is followed by the hyphen: what begins with the prefix lies before this.
    const end = `${prefix.slice(0, -1)}-`;
    for (let last = prefix; ; ) {
      const { rows } = yield* ask(this.#nextText(last, end));
      const next = rows[0]?.[0];
      if (typeof next !== 'string') break;
      texts.push(next);
      last = next;
    }
    this.#found.set(prefix, { texts, at: now });
    return texts;
  }
}
