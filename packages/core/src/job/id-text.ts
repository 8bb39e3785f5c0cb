import { describeValue } from './describe-value.js';

/** Texts that are longer than any id are cut. */
const LONGEST = 100;

/** An id as text for a message, whatever a caller gave as one. */
export function idText(id: unknown): string {
  try {
    const text = String(id);
    return text.length > LONGEST ? `${text.slice(0, LONGEST)}…` : text;
  } catch {
    return describeValue(id);
  }
}
