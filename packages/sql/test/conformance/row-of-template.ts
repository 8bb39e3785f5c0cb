import type { TemplateFields } from '@monque/conformance';

const COLUMNS = {
  cron: 'CronExpression',
  name: 'JobTypeName',
  timezone: 'Timezone',
  misfire: 'Misfire',
} as const;

const TIMES = {
  nextExecution: 'NextExecution',
  lastExecution: 'LastExecution',
  createdAt: 'CreatedAt',
  updatedAt: 'UpdatedAt',
} as const;

/** What a row of `RecurringJobs` must have. */
const REQUIRED = {
  cron: '0 * * * *',
  name: 'work',
  enabled: true,
  maxRetries: 1,
  createdAt: new Date('2025-01-01T00:00:00.000Z'),
};

type Columns = Record<string, string | number | boolean | null>;

/** A statement that writes columns of a template as another program would: first an update, and an insert if it is new. */
export interface TemplateWrite {
  readonly changed: Columns;
  /** All that an insert has to name. */
  readonly fresh: Columns;
}

/** The columns for fields of the conformance suite. Written out here once more, as those of a job are. */
export function rowOfTemplate(
  id: string,
  fields: TemplateFields,
  toTime: (time: Date) => string,
  toFlag: (flag: boolean) => boolean | number,
): TemplateWrite {
  const columns = (given: TemplateFields): Columns => {
    const row: Columns = {};
    for (const [field, column] of Object.entries(COLUMNS)) {
      if (field in given) row[column] = given[field as keyof typeof COLUMNS] ?? null;
    }
    for (const [field, column] of Object.entries(TIMES)) {
      if (!(field in given)) continue;
      const time = given[field as keyof typeof TIMES];
      row[column] = time === undefined ? null : toTime(time);
    }
    if ('data' in given) row.JobArguments = given.data === null ? null : JSON.stringify(given.data);
    if ('unreadable' in given) row.JobArguments = '{ not JSON';
    if (given.enabled !== undefined) row.IsEnabled = toFlag(given.enabled);
    if (given.maxRetries !== undefined) row.MaxRetryCount = given.maxRetries - 1;
    return row;
  };
  return { changed: columns(fields), fresh: { Id: id, ...columns({ ...REQUIRED, ...fields }) } };
}
