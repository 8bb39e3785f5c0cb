import { fileURLToPath } from 'node:url';
import { defineConfig } from 'vitest/config';

const source = (path: string) => fileURLToPath(new URL(path, import.meta.url));

/** Tests run on the sources: no build stands between a change and its test. */
const alias = [
  { find: /^@monque\/test-servers\/vitest$/, replacement: source('./test-servers/src/vitest.ts') },
  { find: /^@monque\/test-servers$/, replacement: source('./test-servers/src/index.ts') },
  { find: /^@monque\/(core|conformance|sql|tsed)$/, replacement: source('./packages/$1/src/index.ts') },
];

const tests = [
  'packages/*/test/**/*.test.ts',
  'test-servers/test/**/*.test.ts',
  'examples/test/**/*.test.ts',
  'bench/test/**/*.test.ts',
];
/** The budget counts what grows with the size of claims, and those shrink on a machine that others keep busy. */
const loadTests = ['packages/*/test/**/*.load.test.ts', 'bench/test/budget.test.ts'];
/** Those of them that break things and count afterwards: they mostly wait, so two at a time do each other no harm. */
const faultTests = [
  'packages/core/test/faults/**/*.load.test.ts',
  'packages/core/test/processes/**/*.load.test.ts',
  'packages/sql/test/workflows/**/*.load.test.ts',
];
/** Those that need size: what they examine and what they hold is the same on a busy machine. */
const sizeTests = [
  'packages/core/test/load/{heap,large-batch,million}.load.test.ts',
  'packages/core/test/mongodb/million.load.test.ts',
];
const tsedTests = ['packages/tsed/test/**/*.test.ts', 'examples/tsed/test/**/*.test.ts'];

export default defineConfig({
  test: {
    // Here and not in a project: it runs once per run, and what it provides reaches every project.
    globalSetup: './test-servers/src/vitest/global-setup.ts',
    coverage: { include: ['packages/*/src/**/*.ts'] },
    projects: [
      {
        resolve: { alias },
        test: {
          name: 'tests',
          include: tests,
          exclude: [...loadTests, ...tsedTests],
          // One more than there are cores: they mostly wait, for a database or for a moment to come.
          maxWorkers: 3,
          // No test changes what others import, and loading it anew for each of 150 files would take a minute.
          isolate: false,
          testTimeout: 20_000,
          hookTimeout: 30_000,
          sequence: { groupOrder: 0 },
        },
      },
      {
        // Ts.ED reads the types of constructor parameters and properties at run time, so its tests are compiled otherwise.
        resolve: { alias },
        oxc: { decorator: { legacy: true, emitDecoratorMetadata: true } },
        test: {
          name: 'tsed',
          include: tsedTests,
          // As many as the group that it runs with.
          maxWorkers: 3,
          testTimeout: 30_000,
          hookTimeout: 30_000,
          sequence: { groupOrder: 0 },
        },
      },
      {
        resolve: { alias },
        test: {
          name: 'faults',
          include: faultTests,
          maxWorkers: 2,
          testTimeout: 120_000,
          hookTimeout: 120_000,
          sequence: { groupOrder: 1 },
        },
      },
      {
        resolve: { alias },
        test: {
          name: 'size',
          include: sizeTests,
          maxWorkers: 2,
          testTimeout: 120_000,
          hookTimeout: 120_000,
          sequence: { groupOrder: 1 },
        },
      },
      {
        // Tests that measure time, and need the machine for themselves: after all others, one file at a time.
        resolve: { alias },
        test: {
          name: 'load',
          include: loadTests,
          exclude: [...faultTests, ...sizeTests],
          maxWorkers: 1,
          testTimeout: 120_000,
          hookTimeout: 120_000,
          sequence: { groupOrder: 2 },
        },
      },
    ],
  },
});
