import { nameOf } from '@tsed/core';
import type { AnyClass } from './class-metadata.js';

/** Names a handler in logs and errors: `EmailController.send`. */
export function getJobToken(target: AnyClass, method: string): string {
  return `${nameOf(target)}.${method}`;
}
