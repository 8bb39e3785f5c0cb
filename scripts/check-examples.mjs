/**
 * Compiles every example: the `ts` blocks of the READMEs, of docs/ and of the documentation comments in the packages.
 * A block is a module of its own; one that is fenced as `ts continues` belongs to the module of the block before it.
 */
import { readdirSync } from 'node:fs';
import { join } from 'node:path';
import { checkModules } from './examples/check-modules.mjs';
import { examplesOfPage, examplesOfSource } from './examples/find-examples.mjs';
import { PACKAGES, ROOT } from './steps/repository.mjs';
import { Failure, main } from './steps/run.mjs';

const PAGES = [
  'README.md',
  ...PACKAGES.map((folder) => `${folder}/README.md`),
  ...filesIn('docs', '.md').filter(isWritten),
];

await main(() => {
  const found = [
    ...PAGES.map((file) => examplesOfPage(join(ROOT, file), file)),
    ...PACKAGES.flatMap((folder) => filesIn(`${folder}/src`, '.ts')).map((file) =>
      examplesOfSource(join(ROOT, file), file),
    ),
  ];
  const blocks = found.flatMap((one) => one.blocks);
  const problems = [...found.flatMap((one) => one.problems), ...checkModules(modulesOf(blocks))];
  if (problems.length > 0) throw new Failure(problems.join('\n'));
  console.log(`${blocks.length} examples compile`);
});

/** Paths from the root, in a fixed order. */
function filesIn(folder, ending) {
  return readdirSync(join(ROOT, folder), { recursive: true })
    .map((path) => `${folder}/${path.replaceAll('\\', '/')}`)
    .filter((path) => path.endsWith(ending))
    .sort();
}

/** The reference is made from the sources, whose examples are checked there. */
function isWritten(file) {
  return !file.startsWith('docs/api/');
}

/** Puts blocks that continue one another into one module. */
function modulesOf(blocks) {
  const modules = [];
  for (const block of blocks) {
    const before = modules.at(-1);
    if (block.continues && before?.[0].file === block.file) before.push(block);
    else modules.push([block]);
  }
  return modules;
}
