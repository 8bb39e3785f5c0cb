import type { ClaimRequest, ClaimResult } from '@monque/core';
import type { WaitingTexts } from './waiting-texts.js';

/**
 * Claims, and does not say that nothing is left before it has looked under texts that came up since they were last
 * looked for: whoever was woken by such a job would sleep over it.
 */
export async function claimOnceMore(
  texts: WaitingTexts,
  { wants }: ClaimRequest,
  claim: () => Promise<ClaimResult<string>>,
): Promise<ClaimResult<string>> {
  const began = performance.now();
  const result = await claim();
  if (result.more) return result;
  const names = wants.map(({ name }) => name);
  if (!texts.forget(names, began)) return result;
  // What it has can start; the next claim looks for the rest.
  return result.jobs.length > 0 ? { jobs: result.jobs, more: true } : claim();
}

/** The same for the time of the next job. */
export async function nextOnceMore(
  texts: WaitingTexts,
  names: readonly string[],
  next: () => Promise<Date | undefined>,
): Promise<Date | undefined> {
  const began = performance.now();
  const due = await next();
  return due === undefined && texts.forget(names, began) ? next() : due;
}
