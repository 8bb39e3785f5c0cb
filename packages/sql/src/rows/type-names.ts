import { InvalidOptionError, validateJobName } from '@monque/core';

/** What a `TypeName` must be like for a job name: one of these texts, or one that begins so. */
export interface TypeNameMatch {
  readonly texts: readonly string[];
  /** Beginnings, each with the comma that ends it. */
  readonly prefixes: readonly string[];
  /** Texts that begin so and stand for another name. */
  readonly except: readonly string[];
}

/**
 * Translates between job names and the texts in `TypeName`. JobSharp writes assembly-qualified .NET names there, with
 * commas and blanks; without a mapping the text is the name.
 */
export class TypeNames {
  readonly #toName: ReadonlyMap<string, string>;
  readonly #toText = new Map<string, string>();

  /** @param mapping - From texts, whole or up to the first comma, to job names. */
  constructor(mapping: Readonly<Record<string, string>> = {}) {
    for (const [text, name] of Object.entries(mapping)) {
      if (text.trim() === '') {
        throw new InvalidOptionError('typeNames', 'Option "typeNames" has an empty type name');
      }
      validateJobName(name);
      if (!this.#toText.has(name)) this.#toText.set(name, text);
    }
    this.#toName = new Map(Object.entries(mapping));
  }

  /** The job name for a text: by the whole text, by what stands before its first comma, or the text itself. */
  nameOf(text: string): string {
    if (this.#toName.size === 0) return text;
    return this.#toName.get(text) ?? this.#toName.get(beforeComma(text)) ?? text;
  }

  /** The text for a new job of this name. */
  textOf(name: string): string {
    return this.#toText.get(name) ?? name;
  }

  /** All texts that are read as this name. */
  matchOf(name: string): TypeNameMatch {
    const keys = [...this.#toName].filter(([, mapped]) => mapped === name).map(([text]) => text);
    // Rows that were written before the mapping was have the name itself.
    const texts = this.#toName.has(name) ? keys : [...keys, name];
    const prefixes = keys.filter((text) => !text.includes(',')).map((text) => `${text},`);
    const except = [...this.#toName]
      .filter(([text, mapped]) => mapped !== name && prefixes.some((prefix) => text.startsWith(prefix)))
      .map(([text]) => text);
    return { texts, prefixes, except };
  }

  /** The job names that stand for other texts. */
  get mapped(): readonly string[] {
    return [...this.#toText.keys()];
  }

  /** Whether every text is a name. */
  get isEmpty(): boolean {
    return this.#toName.size === 0;
  }
}

function beforeComma(text: string): string {
  const comma = text.indexOf(',');
  return comma < 0 ? text : text.slice(0, comma);
}
