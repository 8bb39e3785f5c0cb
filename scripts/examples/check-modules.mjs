import { dirname, join } from 'node:path';
import ts from 'typescript';
import { ROOT } from '../steps/repository.mjs';

/** Where the modules seem to lie; nothing is written there. In the root, so that imports are found as in the tests. */
const FOLDER = join(ROOT, '.examples');

/** What Ts.ED asks of a user's own tsconfig.json; other examples have no decorators. */
const DECORATORS = {
  experimentalDecorators: true,
  emitDecoratorMetadata: true,
  useDefineForClassFields: false,
  erasableSyntaxOnly: false,
};

/** Rules for whole programs that an excerpt need not keep: it may show a value without using it. */
const RELAXED = { noUnusedLocals: false, noUnusedParameters: false };

/**
 * Compiles each list of blocks as one module, by the workspace's own rules and on the sources of its packages.
 *
 * @param {import('./find-examples.mjs').Block[][]} modules
 * @returns {string[]} What is wrong, with file and line.
 */
export function checkModules(modules) {
  const texts = new Map(
    modules.map((blocks, index) => [
      join(FOLDER, `example-${index}.ts`),
      blocks.map(({ code }) => code).join('\n'),
    ]),
  );
  const program = ts.createProgram({
    rootNames: [...texts.keys()],
    options: { ...workspaceOptions(), ...DECORATORS, ...RELAXED },
    host: hostWith(texts),
  });
  return [...texts.keys()].flatMap((path, index) => {
    const source = program.getSourceFile(path);
    return [...program.getSyntacticDiagnostics(source), ...program.getSemanticDiagnostics(source)].map(
      (diagnostic) => `${placeOf(diagnostic, modules[index])}: ${textOf(diagnostic)}`,
    );
  });
}

function workspaceOptions() {
  const path = join(ROOT, 'tsconfig.json');
  const { config, error } = ts.readConfigFile(path, ts.sys.readFile);
  if (error) throw new Error(textOf(error));
  return ts.parseJsonConfigFileContent({ ...config, include: [], files: [] }, ts.sys, dirname(path)).options;
}

/** A host that knows the examples beside the files on disk. */
function hostWith(texts) {
  const host = ts.createCompilerHost({}, true);
  const { fileExists, readFile, getSourceFile, directoryExists } = host;
  host.fileExists = (path) => texts.has(path) || fileExists(path);
  host.readFile = (path) => texts.get(path) ?? readFile(path);
  host.directoryExists = (path) => path === FOLDER || (directoryExists?.(path) ?? true);
  host.getCurrentDirectory = () => ROOT;
  host.getSourceFile = (path, options, ...rest) => {
    const text = texts.get(path);
    return text === undefined
      ? getSourceFile(path, options, ...rest)
      : ts.createSourceFile(path, text, options, true);
  };
  return host;
}

/** The line of the page, or of the source, that a diagnostic is about. */
function placeOf({ file, start }, blocks) {
  let line = file === undefined ? 0 : file.getLineAndCharacterOfPosition(start ?? 0).line;
  for (const block of blocks) {
    const length = block.code.split('\n').length;
    if (line < length) return `${block.file}:${block.line + line}`;
    line -= length;
  }
  return blocks[0].file;
}

function textOf({ messageText, code }) {
  return `${ts.flattenDiagnosticMessageText(messageText, '\n  ')} (TS${code})`;
}
