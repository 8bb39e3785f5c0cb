import type { Misfire, StoredTemplate } from '@monque/core';
import type { Row } from '../operation.js';
import { parseTime } from '../rows/times.js';
import type { TypeNames } from '../rows/type-names.js';
import type { RecurringJobRow } from '../schema/columns.js';

/** The columns of a template in the order in which every query asks for them. */
export const TEMPLATE_COLUMNS = [
  'Id',
  'CronExpression',
  'JobTypeName',
  'JobArguments',
  'MaxRetryCount',
  'NextExecution',
  'LastExecution',
  'IsEnabled',
  'CreatedAt',
  'Timezone',
  'Misfire',
  'UpdatedAt',
  'OwnRetries',
  'LastJobId',
  'PlannedCron',
  'PlannedTimezone',
] as const satisfies readonly (keyof RecurringJobRow)[];

/** Those of them that hold times. */
export const TEMPLATE_TIMES: ReadonlySet<keyof RecurringJobRow> = new Set([
  'NextExecution',
  'LastExecution',
  'CreatedAt',
  'UpdatedAt',
] as const);

/** The zone of a template that names none. */
export const DEFAULT_ZONE = 'UTC';

/** What databases answer for a flag that is set. */
const SET: ReadonlySet<unknown> = new Set([1, 1n, true, '1', 't', 'true']);

/** A template from a row in the order of {@link TEMPLATE_COLUMNS}. What is null there is absent here, or a default. */
export function toTemplate(row: Row, names: TypeNames): StoredTemplate<string> {
  const [id, cron, typeName, text, retries, next, last, isEnabled, created, zone, misfire] = row;
  const [updated, ownRetries, lastJobId, plannedCron, plannedTimezone] = row.slice(11);
  const createdAt = parseTime(created) ?? new Date(0);
  const nextExecution = parseTime(next);
  const lastExecution = parseTime(last);
  return {
    id: id as string,
    cron: cron as string,
    name: names.nameOf(typeName as string),
    ...readArguments(text),
    timezone: (zone as string | null) ?? DEFAULT_ZONE,
    // Null is a row of others, whose number of retries is its own.
    ...((ownRetries === null || Number(ownRetries) === 1) && { maxRetries: Number(retries) + 1 }),
    misfire: (misfire as Misfire | null) ?? 'once',
    enabled: isSet(isEnabled),
    ...(nextExecution !== undefined && { nextExecution }),
    ...(lastExecution !== undefined && { lastExecution }),
    ...(lastJobId !== null && { lastJobId: lastJobId as string }),
    ...(plannedCron !== null && {
      planned: {
        cron: plannedCron as string,
        timezone: (plannedTimezone as string | null) ?? DEFAULT_ZONE,
      },
    }),
    createdAt,
    updatedAt: parseTime(updated) ?? new Date(createdAt),
  };
}

/** MariaDB's `bit` comes as bytes. */
function isSet(flag: unknown): boolean {
  return flag instanceof Uint8Array ? flag.some((byte) => byte !== 0) : SET.has(flag);
}

function readArguments(text: unknown): Pick<StoredTemplate, 'data' | 'unreadable'> {
  if (text === null) return { data: null };
  try {
    return { data: JSON.parse(String(text)) };
  } catch {
    return {
      data: null,
      unreadable: 'The column "JobArguments" holds no JSON. Correct it, or store the template again',
    };
  }
}
