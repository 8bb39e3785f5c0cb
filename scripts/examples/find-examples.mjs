import { readFileSync } from 'node:fs';

/**
 * @typedef {object} Block A fenced block of TypeScript.
 * @property {string} file Path from the root of the repository.
 * @property {number} line Line of its first line of code, from 1.
 * @property {string} code
 * @property {boolean} continues Whether it builds upon the block before it.
 */

/** Fences that would keep a program from being checked, and what to write in their place. */
const REFUSED = /^(?:ts|typescript|tsx|mts|js|javascript|jsx|mjs)\b/;

/** The examples of a page: every block that is fenced as `ts` or `ts continues`. */
export function examplesOfPage(path, file) {
  return blocksIn(readFileSync(path, 'utf8').split('\n'), file);
}

/** The examples of a source file: the same blocks inside its documentation comments. */
export function examplesOfSource(path, file) {
  let inComment = false;
  const lines = readFileSync(path, 'utf8')
    .split('\n')
    .map((line) => {
      if (/^\s*\/\*\*/.test(line)) inComment = true;
      const text = inComment ? line.replace(/^\s*\/?\*+ ?/, '') : '';
      if (line.includes('*/')) inComment = false;
      return text;
    });
  return blocksIn(lines, file);
}

/** @returns {{ blocks: Block[], problems: string[] }} */
function blocksIn(lines, file) {
  const blocks = [];
  const problems = [];
  /** @type {{ fence: string, line: number, code: string[], info: string } | undefined} */
  let open;
  for (const [index, text] of lines.entries()) {
    const [, indent, fence, info] = /^(\s*)(`{3,})(.*)$/.exec(text) ?? [];
    if (open !== undefined) {
      if (fence === open.fence && info.trim() === '') {
        if (open.info === 'ts' || open.info === 'ts continues') {
          const { line, code, info } = open;
          blocks.push({ file, line, code: code.join('\n'), continues: info === 'ts continues' });
        } else if (REFUSED.test(open.info)) {
          problems.push(
            `${file}:${open.line - 1}: a block is fenced as "${open.info}". Use "ts" or "ts continues": every program is checked`,
          );
        }
        open = undefined;
      } else open.code.push(text);
    } else if (fence !== undefined) {
      open = { fence, line: index + 2, code: [], info: info.trim() };
      if (indent !== '' && REFUSED.test(open.info)) {
        problems.push(`${file}:${index + 1}: a block inside a list cannot be read. Move it to the margin`);
      }
    }
  }
  return { blocks, problems };
}
