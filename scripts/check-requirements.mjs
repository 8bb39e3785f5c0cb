/**
 * Checks docs/requirements.md: every requirement of the specification has a row, and every test that a row names exists.
 * The last column of a row names its tests: `path/to/file.test.ts` › `title of the test`, several separated by <br>.
 */
import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { ROOT } from './steps/repository.mjs';
import { Failure, main } from './steps/run.mjs';

const DOCUMENT = 'docs/requirements.md';
/** Every numbered sentence of the specification. */
const NEEDED = [
  ...ids('FR', 23, 3),
  ...ids('SC', 8, 3),
  ...[3, 3, 4, 3, 3, 4, 3, 3].flatMap((scenarios, story) => ids(`US${story + 1}`, scenarios)),
  ...ids('EC', 7),
  ...ids('VR', 10),
  ...ids('DM', 11),
  ...ids('LP', 14),
  ...ids('AS', 13),
];

await main(() => {
  const path = join(ROOT, DOCUMENT);
  if (!existsSync(path)) throw new Failure(`${DOCUMENT} is missing`);
  const rows = readFileSync(path, 'utf8').split('\n').flatMap(readRow);

  const problems = rows.flatMap(problemsOf);
  for (const id of NEEDED) {
    if (!rows.some((row) => row.id === id)) problems.push(`${DOCUMENT}: no row for ${id}`);
  }
  if (problems.length > 0) throw new Failure(problems.join('\n'));
  console.log(`${rows.length} requirements, each with a test that exists`);
});

function ids(prefix, count, digits = 1) {
  return Array.from({ length: count }, (_, index) => `${prefix}-${String(index + 1).padStart(digits, '0')}`);
}

/** A table's row as its id, its last column and its line; none for other lines, heads and rules of tables. */
function readRow(text, index, lines) {
  const cellsOf = (line) =>
    line
      .trim()
      .split(/(?<!\\)\|/)
      .slice(1, -1)
      .map((cell) => cell.trim());
  const isRule = (line) => /^\s*\|[\s:|-]+\|\s*$/.test(line ?? '');
  if (!text.trim().startsWith('|') || isRule(text) || isRule(lines[index + 1])) return [];
  const cells = cellsOf(text);
  return [{ id: cells[0].replaceAll(/[*`]/g, ''), tests: cells.at(-1), line: index + 1 }];
}

function problemsOf({ id, tests, line }) {
  const where = `${DOCUMENT}:${line} (${id})`;
  return tests.split(/<br\s*\/?>/).flatMap((reference) => {
    const [, file, title] = /^\s*`([^`]+)`\s*›\s*`(.+)`\s*$/.exec(reference) ?? [];
    if (!file)
      return [
        `${where}: expected \`file\` › \`title\` in the last column, found: ${reference.trim() || 'nothing'}`,
      ];
    const path = join(ROOT, file);
    if (!existsSync(path)) return [`${where}: there is no file ${file}`];
    return hasString(readFileSync(path, 'utf8'), title) ? [] : [`${where}: ${file} has no test '${title}'`];
  });
}

/** Whether a source text holds a title as a whole string literal, in any of the three kinds of quotes. */
function hasString(source, title) {
  const text = title.replaceAll('\\|', '|');
  return ["'", '"', '`'].some((quote) =>
    source.includes(`${quote}${text.replaceAll(quote, `\\${quote}`)}${quote}`),
  );
}
