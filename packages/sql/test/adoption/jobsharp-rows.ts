const DAY_MS = 86_400_000;

/** A row as JobSharp writes it; times are points in time, in whatever form the database keeps them. */
export interface JobSharpRow {
  readonly Id: string;
  readonly TypeName: string;
  readonly Arguments: string | null;
  readonly State: number;
  readonly CreatedAt: Date;
  readonly ScheduledAt: Date | null;
  readonly ExecutedAt: Date | null;
  readonly RetryCount: number;
  readonly MaxRetryCount: number;
  readonly ErrorMessage: string | null;
  readonly Result: string | null;
  readonly BatchId: string | null;
  readonly ParentJobId: string | null;
}

export const EMAIL = 'MyApp.Jobs.SendEmail, MyApp, Version=1.0.0.0, Culture=neutral, PublicKeyToken=null';
export const IMAGE =
  'MyApp.Jobs.ResizeImage, MyApp.Images, Version=2.1.0.0, Culture=neutral, PublicKeyToken=null';
export const UNKNOWN = 'Legacy.Jobs.Nightly, Legacy, Version=0.9.0.0, Culture=neutral, PublicKeyToken=null';
const TYPE_NAMES = [EMAIL, IMAGE, UNKNOWN];

/** The options of the store: one text as a whole, one by what stands before its comma, and one not at all. */
export const MAPPED = { [EMAIL]: 'send-email', 'MyApp.Jobs.ResizeImage': 'resize-image' };

/**
 * A thousand rows in all nine states, for every state in several variants. No time is near a boundary of the queries, so
 * that answers are known however long a test takes.
 */
export function jobSharpRows(now: Date, count = 1_000): JobSharpRow[] {
  return Array.from({ length: count }, (_, index) => row(index, now.getTime()));
}

function row(index: number, now: number): JobSharpRow {
  const state = index % 9;
  const variant = Math.floor(index / 9);
  const createdAt = now - (((index * 7) % 60) + 0.5) * DAY_MS;
  const { scheduledAt, executedAt } = times(state, variant, createdAt, now);
  const maxRetryCount = variant % 4;
  return {
    Id: idOf(index),
    TypeName: TYPE_NAMES[variant % TYPE_NAMES.length] as string,
    Arguments: variant % 7 === 0 ? null : JSON.stringify({ number: index, note: 'naïve “quotes”' }),
    State: state,
    CreatedAt: new Date(createdAt),
    ScheduledAt: scheduledAt === null ? null : new Date(scheduledAt),
    ExecutedAt: executedAt === null ? null : new Date(executedAt),
    RetryCount: state === 4 ? 1 : state === 6 ? maxRetryCount : 0,
    MaxRetryCount: maxRetryCount,
    ErrorMessage: state === 4 || state === 6 ? `System.TimeoutException: attempt of ${index}` : null,
    Result: state === 3 ? JSON.stringify({ done: index }) : null,
    BatchId: index % 10 === 0 ? batchOf(Math.floor(index / 100)) : null,
    // The one that is held: it never ends by itself, so neither does the wait.
    ParentJobId: state === 7 ? idOf(index - 7) : null,
  };
}

function times(state: number, variant: number, createdAt: number, now: number) {
  switch (state) {
    case 1:
    case 4: {
      // Due long ago, due tomorrow, or of no particular time.
      const scheduledAt = [now - 3_600_000, createdAt + 1_000, now + DAY_MS, null][variant % 4] as
        | number
        | null;
      return { scheduledAt, executedAt: state === 4 ? createdAt + 2_000 : null };
    }
    case 2:
      return { scheduledAt: createdAt + 10_000, executedAt: createdAt + 11_000 };
    case 3:
    case 6:
      return { scheduledAt: createdAt + 10_000, executedAt: createdAt + 10_000 + (variant % 5) * 1_000 };
    default:
      return { scheduledAt: null, executedAt: null };
  }
}

function idOf(index: number): string {
  return `00000000-0000-4000-8000-${index.toString(16).padStart(12, '0')}`;
}

export function batchOf(number: number): string {
  return `00000000-0000-4000-9000-${number.toString(16).padStart(12, '0')}`;
}

/** Recurring templates of JobSharp's own: active and due, active and without a time, active later, and switched off. */
export function recurringRows(now: Date) {
  const at = (days: number) => new Date(now.getTime() + days * DAY_MS);
  const template = {
    CronExpression: '0 3 * * *',
    JobTypeName: UNKNOWN,
    JobArguments: '{}',
    MaxRetryCount: 3,
  };
  return [
    {
      Id: 'due',
      ...template,
      NextExecution: at(-1),
      LastExecution: at(-2),
      IsEnabled: true,
      CreatedAt: at(-9),
    },
    { Id: 'new', ...template, NextExecution: null, LastExecution: null, IsEnabled: true, CreatedAt: at(-9) },
    {
      Id: 'later',
      ...template,
      NextExecution: at(1),
      LastExecution: at(-1),
      IsEnabled: true,
      CreatedAt: at(-9),
    },
    {
      Id: 'off',
      ...template,
      NextExecution: at(-1),
      LastExecution: null,
      IsEnabled: false,
      CreatedAt: at(-9),
    },
  ];
}
