import { fileURLToPath } from 'node:url';

/** The root of the repository; every script works from here, wherever it was called. */
export const ROOT = fileURLToPath(new URL('../..', import.meta.url));

/** The packages that are built and published. */
export const PACKAGES = ['packages/core', 'packages/conformance', 'packages/sql', 'packages/tsed'];
