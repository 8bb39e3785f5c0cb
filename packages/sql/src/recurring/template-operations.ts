import type { DueTemplatesRequest, StoredTemplate, TemplateChange, TemplateStep } from '@monque/core';
import { type Expression, expressionBuilder, type SqlBool, sql } from 'kysely';
import type { SqlContext } from '../context.js';
import type { Dialect } from '../dialect.js';
import { ask, type Operation } from '../operation.js';
import { retryColumns, toJson } from '../rows/job-row.js';
import type { Tables } from '../schema/columns.js';
import { DEFAULT_ZONE, TEMPLATE_COLUMNS, TEMPLATE_TIMES, toTemplate } from './template-row.js';

type Template = StoredTemplate<string>;
type Condition = Expression<SqlBool>;

/** Writes expressions over `RecurringJobs`. */
const templates = expressionBuilder<Tables, 'RecurringJobs'>();

/** Reads the templates that a condition holds for, in the database's own order of their ids. */
export function* readTemplates(
  { dialect, names }: SqlContext,
  condition: Condition,
  limit?: number,
): Operation<Template[]> {
  const columns = TEMPLATE_COLUMNS.map((column) =>
    TEMPLATE_TIMES.has(column)
      ? dialect.asText(sql.ref(column)).as(column)
      : templates.ref(column).as(column),
  );
  const query = dialect.builder.selectFrom('RecurringJobs').select(columns).where(condition).orderBy('Id');
  const { rows } = yield* ask((limit === undefined ? query : query.limit(limit)).compile());
  return rows.map((row) => toTemplate(row, names));
}

/** Reads one template. Index: PK_RecurringJobs. */
export function* readTemplate(context: SqlContext, id: string): Operation<Template | undefined> {
  const [template] = yield* readTemplates(context, templates('Id', '=', id));
  return template;
}

/** Stores a template, or changes the one with its id. Index: PK_RecurringJobs. */
export function* putTemplate(context: SqlContext, change: TemplateChange): Operation<Template> {
  const { dialect, names } = context;
  const { id, cron, timezone, data, enabled, nextExecution, at } = change;
  const stamp = dialect.toTime(at);
  const changed = {
    CronExpression: cron,
    JobTypeName: names.textOf(change.name),
    JobArguments: data === null ? null : toJson(data),
    ...retryColumns(change.maxRetries),
    Timezone: timezone,
    Misfire: change.misfire,
    UpdatedAt: stamp,
    ...(nextExecution !== undefined && {
      NextExecution: dialect.toTime(nextExecution),
      PlannedCron: cron,
      PlannedTimezone: timezone,
    }),
    ...(enabled !== undefined && { IsEnabled: toFlag(dialect, enabled) }),
  };
  const fresh = { IsEnabled: toFlag(dialect, true), ...changed, Id: id, CreatedAt: stamp };
  const insert = dialect.builder.insertInto('RecurringJobs').values(fresh as never);
  yield* ask(
    dialect.name === 'mariadb'
      ? insert.onDuplicateKeyUpdate(changed).compile()
      : insert.onConflict((conflict) => conflict.column('Id').doUpdateSet(changed)).compile(),
  );
  const stored = yield* readTemplate(context, id);
  if (stored === undefined) throw new Error('A recurring template that was stored cannot be read');
  return stored;
}

/** Lets a template rest or fire again; undefined where it does so already. Index: PK_RecurringJobs. */
export function* setTemplateEnabled(
  context: SqlContext,
  id: string,
  resumeAt: Date | false,
  at: Date,
): Operation<Template | undefined> {
  const { dialect } = context;
  const isEnabled = resumeAt !== false;
  const { affected } = yield* ask(
    dialect.builder
      .updateTable('RecurringJobs')
      .set({
        IsEnabled: toFlag(dialect, isEnabled),
        ...(isEnabled && { NextExecution: dialect.toTime(resumeAt) }),
        UpdatedAt: dialect.toTime(at),
      })
      .where('Id', '=', id)
      .where('IsEnabled', '=', toFlag(dialect, !isEnabled))
      .compile(),
  );
  return affected === 0 ? undefined : yield* readTemplate(context, id);
}

/** Removes a template. Index: PK_RecurringJobs. */
export function* removeTemplate({ dialect }: SqlContext, id: string): Operation<boolean> {
  const query = dialect.builder.deleteFrom('RecurringJobs').where('Id', '=', id);
  return (yield* ask(query.compile())).affected > 0;
}

/**
 * The enabled templates that need a look. Reads all of them: there are hundreds, not millions, and what was changed by
 * hand is found by no index.
 */
export function* dueTemplates(
  context: SqlContext,
  { until, limit, after }: DueTemplatesRequest,
): Operation<Template[]> {
  const { dialect } = context;
  const next = dialect.instant('NextExecution');
  const isDue = templates.or([
    templates(next, 'is', null),
    // To the whole millisecond: others store finer times.
    templates(next, '<', dialect.toTime(new Date(until.getTime() + 1))),
    templates('PlannedCron', 'is', null),
    templates('PlannedCron', '<>', templates.ref('CronExpression')),
    templates(zone('PlannedTimezone'), '<>', zone('Timezone')),
  ]);
  const conditions = [templates('IsEnabled', '=', toFlag(dialect, true)), isDue];
  if (after !== undefined) conditions.push(templates('Id', '>', after));
  return yield* readTemplates(context, templates.and(conditions), limit);
}

/** Moves a template on, if its schedule is as it was read. Index: PK_RecurringJobs. */
export function* advanceTemplate(
  { dialect }: SqlContext,
  { template, next, last }: TemplateStep<string>,
): Operation<void> {
  const { id, cron, timezone } = template;
  yield* ask(
    dialect.builder
      .updateTable('RecurringJobs')
      .set({
        NextExecution: dialect.toTime(next),
        PlannedCron: cron,
        PlannedTimezone: timezone,
        ...(last && { LastExecution: dialect.toTime(last.at), LastJobId: last.jobId }),
      })
      .where('Id', '=', id)
      .where('CronExpression', '=', cron)
      .where(zone('Timezone'), '=', timezone)
      .where(isNext(dialect, template))
      .compile(),
  );
}

/** Notes a job that was made beside the schedule. Index: PK_RecurringJobs. */
export function* noteTemplateFired(
  { dialect }: SqlContext,
  id: string,
  { at, jobId }: { readonly at: Date; readonly jobId: string },
): Operation<void> {
  yield* ask(
    dialect.builder
      .updateTable('RecurringJobs')
      .set({ LastExecution: dialect.toTime(at), LastJobId: jobId })
      .where('Id', '=', id)
      .compile(),
  );
}

/** Whether the next time is the one that was read, of which we know the millisecond, rounded or cut off. */
function isNext(dialect: Dialect, { nextExecution }: Template): Condition {
  const next = dialect.instant('NextExecution');
  if (nextExecution === undefined) return templates(next, 'is', null);
  return templates.and([
    templates(next, '>=', dialect.toTime(nextExecution)),
    templates(next, '<=', dialect.toTime(new Date(nextExecution.getTime() + 1))),
  ]);
}

function zone(column: 'Timezone' | 'PlannedTimezone'): Expression<string> {
  return templates.fn.coalesce(templates.ref(column), sql.lit(DEFAULT_ZONE)) as Expression<string>;
}

/** A flag as the database takes it; only PostgreSQL has a type of its own for it. */
function toFlag({ name }: Dialect, value: boolean): boolean | number {
  return name === 'postgres' ? value : Number(value);
}
