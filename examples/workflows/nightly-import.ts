/**
 * A nightly import: a job for each row, and a report when all of them are final, whatever became of them.
 *
 *   import-row ─┐
 *   import-row ─┼─▶ import-report
 *   import-row ─┘
 */
import { defineJob, type Monque, PermanentError } from '@monque/core';

const importRow = defineJob<{ row: number }, void>('import-row', { concurrency: 100 });
const importReport = defineJob<{ night: string }, { imported: number; failed: number }>('import-report');

/** Registers a handler for the rows, and one for the report. */
export function registerImport(monque: Monque<string>): void {
  monque.register(importRow, ({ data }) => {
    if (data.row % 1_000 === 999) throw new PermanentError(`row ${data.row} has no customer`);
  });
  monque.register(importReport, ({ data }, { batch }) => {
    const { completed = 0, failed = 0 } = batch?.counts ?? {};
    console.log(`  import of ${data.night}: ${completed} of ${batch?.total} rows imported, ${failed} failed`);
    return { imported: completed, failed };
  });
}

/**
 * Stores the import of a night: all rows or none. The id is the night's, so that whoever starts it a second time is told
 * so, with a `DuplicateBatchError`. Answers the id of the report.
 */
export async function startImport(monque: Monque<string>, night: string, rows: number): Promise<string> {
  const { batchId } = await monque.enqueueBatch(
    Array.from({ length: rows }, (_, row) => ({ name: importRow, data: { row } })),
    { id: `import ${night}`, name: `Import of ${night}` },
  );
  const report = await monque.continueBatchWith(batchId, importReport, { night }, { on: 'any' });
  return report._id;
}
