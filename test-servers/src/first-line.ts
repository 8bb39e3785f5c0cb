/** The first line of an error's text: enough for a list of reasons. */
export function firstLine(error: unknown): string {
  const { stderr, message, code } = error as { stderr?: unknown; message?: unknown; code?: unknown };
  const told = [stderr, message, code].find((text) => typeof text === 'string' && text.trim() !== '');
  return String(told ?? error)
    .trim()
    .split('\n', 1)[0] as string;
}
