import { execFile } from 'node:child_process';
import { copyFile, mkdir, mkdtemp, readFile, rm, symlink, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { expect, onTestFinished, test } from 'vitest';

const run = promisify(execFile);
const root = fileURLToPath(new URL('../../../..', import.meta.url));

/** A folder outside the repository that looks as after the `npm install` of the README. */
async function emptyProject(): Promise<string> {
  const folder = await mkdtemp(join(tmpdir(), 'monque-quick-start-'));
  onTestFinished(() => rm(folder, { recursive: true }));
  const modules = join(folder, 'node_modules');
  for (const name of ['core', 'sql']) await install(name, join(modules, '@monque', name));
  for (const name of ['croner', 'kysely', 'better-sqlite3'])
    await symlink(join(root, 'node_modules', name), join(modules, name));
  return folder;
}

/** Builds a package, and puts what npm would publish of it into a folder. */
async function install(name: string, folder: string): Promise<void> {
  const source = join(root, 'packages', name);
  await mkdir(folder, { recursive: true });
  await run(
    process.execPath,
    [
      join(root, 'node_modules', 'tsdown', 'dist', 'run.mjs'),
      ...['--config', join(source, 'tsdown.config.ts')],
      ...['--out-dir', join(folder, 'dist')],
    ],
    { cwd: source },
  );
  await copyFile(join(source, 'package.json'), join(folder, 'package.json'));
}

/** The program that the README tells people to save. */
async function programOfReadme(): Promise<string> {
  const readme = await readFile(join(root, 'README.md'), 'utf8');
  const [, program] = /Save this as `quick-start\.mjs`:\n\n```ts\n(.*?)```/s.exec(readme) ?? [];
  expect(program).toBeDefined();
  return program!;
}

test('the quick start of the README runs as it stands on the built packages, well within five minutes', async () => {
  const folder = await emptyProject();
  await writeFile(join(folder, 'quick-start.mjs'), await programOfReadme());

  const { stdout } = await run(process.execPath, ['quick-start.mjs'], { cwd: folder, timeout: 30_000 });

  expect(stdout).toMatch(
    /^attempt 1: \{ to: 'ada@example.com' \}\nfailed: The mail server is busy; again at .+\nattempt 2: .+\ncompleted: \{ messageId: 'mail-[0-9a-f-]{36}' \}\n$/,
  );
}, 120_000);
