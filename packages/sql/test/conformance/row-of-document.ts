import { createHash, randomUUID } from 'node:crypto';

/** What statuses are in the column `State`. */
const STATES: Readonly<Record<string, number>> = {
  created: 0,
  pending: 1,
  processing: 2,
  completed: 3,
  cancelled: 5,
  failed: 6,
  'awaiting-continuation': 7,
  'awaiting-batch': 8,
};

/** Fields that are stored as they are. */
const SAME = {
  failReason: 'ErrorMessage',
  heartbeatInterval: 'HeartbeatInterval',
  claimedBy: 'ClaimedBy',
  claimToken: 'ClaimToken',
  uniqueKey: 'UniqueKey',
  repeatInterval: 'RepeatInterval',
  timezone: 'Timezone',
  priority: 'Priority',
  timeout: 'Timeout',
  parentJobId: 'ParentJobId',
  batchId: 'BatchId',
  awaitsBatchId: 'AwaitsBatchId',
  continueOn: 'ContinueOn',
} as const;

const TIMES = {
  createdAt: 'CreatedAt',
  nextRunAt: 'ScheduledAt',
  executedAt: 'ExecutedAt',
  updatedAt: 'UpdatedAt',
  finishedAt: 'FinishedAt',
  lockedAt: 'LockedAt',
  lastHeartbeat: 'LastHeartbeat',
} as const;

const JSON_FIELDS = { result: 'Result', progress: 'Progress', backoff: 'Backoff' } as const;

/**
 * The row for a document of the conformance suite, as another program would write it. Written out here once more, so
 * that a mistake in the store's own mapping is not made twice.
 */
export function rowOfDocument(
  document: Record<string, unknown>,
  toTime: (time: Date) => string,
): Record<string, string | number | null> {
  const { name, data, status, failCount = 0, maxRetries, uniqueKey } = document;
  const row: Record<string, string | number | null> = {
    // Of version 7 like the store's own, and so in the order of creation.
    Id: idInOrder(),
    TypeName: String(name),
    Arguments: JSON.stringify(data),
    State: status === 'pending' && Number(failCount) > 0 ? 4 : (STATES[String(status)] ?? 0),
    RetryCount: Number(failCount),
    MaxRetryCount: maxRetries === undefined ? 9 : Number(maxRetries) - 1,
    OwnRetries: maxRetries === undefined ? 0 : 1,
    KeyHash: typeof uniqueKey === 'string' ? hashOf(`${String(name)}\n${uniqueKey}`) : null,
  };
  for (const [field, column] of Object.entries(SAME)) {
    row[column] = (document[field] as string | number | undefined) ?? null;
  }
  for (const [field, column] of Object.entries(TIMES)) {
    const time = document[field] as Date | null | undefined;
    row[column] = time ? toTime(time) : null;
  }
  // The table asks for it: whoever writes a row knows that much.
  row.CreatedAt ??= toTime(new Date('2025-01-01T00:00:00.000Z'));
  for (const [field, column] of Object.entries(JSON_FIELDS)) {
    row[column] = field in document ? JSON.stringify(document[field]) : null;
  }
  return row;
}

function hashOf(text: string): string {
  return createHash('sha256').update(text).digest('hex');
}

let count = 0;

function idInOrder(): string {
  count = (count + 1) % 0x1000;
  const time = Date.now().toString(16).padStart(12, '0');
  return `${time.slice(0, 8)}-${time.slice(8)}-7${count.toString(16).padStart(3, '0')}${randomUUID().slice(18)}`;
}
