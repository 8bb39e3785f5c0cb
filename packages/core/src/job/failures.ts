/** Failed attempts of a job so far; a document that others wrote may lack the number, or hold something else. */
export function failuresOf({ failCount }: { failCount?: unknown }): number {
  return typeof failCount === 'number' && Number.isFinite(failCount) && failCount > 0 ? failCount : 0;
}
