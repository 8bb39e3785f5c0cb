/**
 * Installs @monque/tsed and what it depends on from packed tarballs into a project outside the workspace, as a user would,
 * compiles an application there and runs it. Expects that the packages are built. Nothing is fetched: what is not ours is
 * linked from the workspace.
 */
import {
  copyFileSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { ROOT } from './steps/repository.mjs';
import { Failure, main, run } from './steps/run.mjs';

const PACKED = ['core', 'tsed'];
const LINKED = ['@tsed', '@types', 'croner', 'mongodb'];
const APPLICATION = 'packages/tsed/test/fixtures/packed-app.ts';

/** What the documentation tells users of Ts.ED to have. */
const TSCONFIG = {
  compilerOptions: {
    target: 'ES2022',
    module: 'NodeNext',
    strict: true,
    skipLibCheck: true,
    types: ['node'],
    experimentalDecorators: true,
    emitDecoratorMetadata: true,
    useDefineForClassFields: false,
    outDir: 'dist',
    rootDir: '.',
  },
  files: ['app.ts'],
};

await main(async () => {
  const project = mkdtempSync(join(tmpdir(), 'monque-packed-'));
  try {
    await install(project);
    copyFileSync(join(ROOT, APPLICATION), join(project, 'app.ts'));
    writeFileSync(join(project, 'package.json'), JSON.stringify({ type: 'module' }));
    writeFileSync(join(project, 'tsconfig.json'), JSON.stringify(TSCONFIG));
    await run('tsc', [], { cwd: project });
    const output = await run(process.execPath, ['dist/app.js'], { cwd: project });
    if (output !== 'completed: Hello Ada\n') throw new Failure(`The packed application wrote:\n${output}`);
    console.log('The packed packages work outside the workspace');
  } finally {
    rmSync(project, { recursive: true, force: true });
  }
});

async function install(project) {
  for (const name of PACKED) {
    await run('npm', ['pack', '--pack-destination', project], { cwd: join(ROOT, 'packages', name) });
    const tarball = readdirSync(project).find((file) => file.startsWith(`monque-${name}-`));
    if (!tarball) throw new Failure(`npm pack of ${name} made no tarball`);
    const folder = join(project, 'node_modules', '@monque', name);
    mkdirSync(folder, { recursive: true });
    await run('tar', ['-xzf', join(project, tarball), '-C', folder, '--strip-components=1']);
  }
  for (const name of LINKED) {
    const place = join(project, 'node_modules', name);
    mkdirSync(dirname(place), { recursive: true });
    symlinkSync(join(ROOT, 'node_modules', name), place);
  }
}
