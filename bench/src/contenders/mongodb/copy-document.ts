import { type Collection, type Document, ObjectId } from 'mongodb';

const CHUNK = 5_000;
const SPREAD_MS = 30 * 86_400_000;

/**
 * Multiplies a document that the measured system wrote itself, so that the copies look as its own do. Their times
 * are spread over a month, backwards or forwards.
 */
export async function copyDocument(
  jobs: Collection,
  template: Document,
  count: number,
  direction: 'past' | 'future',
): Promise<void> {
  const sign = direction === 'past' ? -1 : 1;
  for (let start = 0; start < count; start += CHUNK) {
    const length = Math.min(CHUNK, count - start);
    const copies = Array.from({ length }, (_, index) =>
      shifted(template, (sign * SPREAD_MS * (start + index + 1)) / count),
    );
    await jobs.insertMany(copies, { ordered: false });
  }
  // The checkpoint after so many writes happens now, and not in the middle of the measurement.
  await jobs.db.admin().command({ fsync: 1 });
}

function shifted(template: Document, offset: number): Document {
  const entries = Object.entries(template).map(([field, value]) => [
    field,
    value instanceof Date ? new Date(value.getTime() + offset) : value,
  ]);
  return { ...Object.fromEntries(entries), _id: new ObjectId() };
}
