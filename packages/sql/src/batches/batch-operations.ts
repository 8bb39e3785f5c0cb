import type { BatchPageRequest, BatchRecord, JobStatus, MemberCounts } from '@monque/core';
import { type Expression, expressionBuilder, type SelectQueryBuilder, type SqlBool, sql } from 'kysely';
import type { SqlContext } from '../context.js';
import { ask, type Operation } from '../operation.js';
import { isOneOf, matching } from '../operations/conditions.js';
import { statusOf } from '../rows/job-states.js';
import type { Tables } from '../schema/columns.js';
import { BATCH_COLUMNS, BATCH_TIMES, toBatchRecord, toBatchRow } from './batch-row.js';

/** Writes expressions over `JobBatches`. */
const batches = expressionBuilder<Tables, 'JobBatches'>();

type BatchQuery = SelectQueryBuilder<Tables, 'JobBatches', unknown>;

/** Stores a batch, unless its id is taken. Index: PK_JobBatches. */
export function* createBatch({ dialect }: SqlContext, record: BatchRecord): Operation<boolean> {
  const insert = dialect.builder.insertInto('JobBatches').values(toBatchRow(record, dialect));
  const query = dialect.name === 'mariadb' ? insert.ignore() : insert.onConflict((one) => one.doNothing());
  return (yield* ask(query.compile())).affected > 0;
}

/** Reads batches by id. Index: PK_JobBatches. */
export function* readBatches(context: SqlContext, ids: readonly string[]): Operation<BatchRecord[]> {
  return yield* read(select(context).where(context.dialect.oneOf('Id', ids)));
}

/** Reads a page of batches. Index: IX_JobBatches_CreatedAt, IX_JobBatches_FinishedAt for open ones. */
export function* pageOfBatches(context: SqlContext, request: BatchPageRequest): Operation<BatchRecord[]> {
  const { finished, direction, after, skip = 0, limit } = request;
  let query = select(context);
  if (finished !== undefined) query = query.where(batches('FinishedAt', finished ? 'is not' : 'is', null));
  if (after !== undefined) query = query.where(comesAfter(context, after, direction));
  return yield* read(
    query.orderBy('CreatedAt', direction).orderBy('Id', direction).limit(limit).offset(skip),
  );
}

function comesAfter(
  { dialect }: SqlContext,
  { createdAt, id }: Pick<BatchRecord, 'createdAt' | 'id'>,
  direction: 'asc' | 'desc',
): Expression<SqlBool> {
  const beyond = direction === 'asc' ? '>' : '<';
  const time = dialect.toTime(createdAt);
  return batches.or([
    batches('CreatedAt', beyond, time),
    batches.and([batches('CreatedAt', '=', time), batches('Id', beyond, id)]),
  ]);
}

/** Puts a batch in the place of its version before. Index: PK_JobBatches. */
export function* replaceBatch({ dialect }: SqlContext, record: BatchRecord): Operation<boolean> {
  const { Id, CreatedAt: _, ...changed } = toBatchRow(record, dialect);
  const query = dialect.builder
    .updateTable('JobBatches')
    .set(changed)
    .where('Id', '=', Id)
    .where('Version', '=', record.version - 1);
  return (yield* ask(query.compile())).affected > 0;
}

/** Removes a batch of this version. Index: PK_JobBatches. */
export function* removeBatch(
  { dialect }: SqlContext,
  { id, version }: Pick<BatchRecord, 'id' | 'version'>,
): Operation<boolean> {
  const query = dialect.builder.deleteFrom('JobBatches').where('Id', '=', id).where('Version', '=', version);
  return (yield* ask(query.compile())).affected > 0;
}

/**
 * Whether a member is not final. In the order of the index, or a planner that expects to meet one soon would rather read
 * the table. Index: IX_Monque_Jobs_Batch, or IX_Jobs_BatchId where it is missing.
 */
export function* hasOpenMember(context: SqlContext, id: string): Operation<boolean> {
  const { builder, name } = context.dialect;
  const query = builder
    .selectFrom('Jobs')
    .select('State')
    .where(matching(context, { memberOf: id }))
    .where(isOneOf(OPEN_STATUSES))
    .limit(1);
  const ordered = name === 'mariadb' ? query : query.orderBy('State');
  return (yield* ask(ordered.compile())).rows.length > 0;
}

const OPEN_STATUSES = [
  'processing',
  'pending',
  'created',
  'awaiting-continuation',
  'awaiting-batch',
] as const satisfies readonly JobStatus[];

/** Counts members by batch and state. Index: IX_Monque_Jobs_Batch, or IX_Jobs_BatchId where it is missing. */
export function* countMembers(
  { dialect }: SqlContext,
  ids: readonly string[],
): Operation<Map<string, MemberCounts>> {
  const query = dialect.builder
    .selectFrom('Jobs')
    .select((jobs) => ['BatchId', 'State', jobs.fn.countAll().as('count')])
    .where(dialect.oneOf('BatchId', ids))
    .where('AwaitsBatchId', 'is', null)
    .groupBy(['BatchId', 'State']);
  const { rows } = yield* ask(query.compile());
  const answers = new Map<string, Partial<Record<JobStatus, number>>>();
  for (const [batch, state, count] of rows) {
    const counts = answers.get(String(batch)) ?? {};
    const status = statusOf(Number(state));
    counts[status] = (counts[status] ?? 0) + Number(count);
    answers.set(String(batch), counts);
  }
  return answers;
}

function select({ dialect }: SqlContext): BatchQuery {
  const columns = BATCH_COLUMNS.map((column) =>
    BATCH_TIMES.has(column) ? dialect.asText(sql.ref(column)).as(column) : batches.ref(column).as(column),
  );
  return dialect.builder.selectFrom('JobBatches').select(columns) as BatchQuery;
}

function* read(query: BatchQuery): Operation<BatchRecord[]> {
  const { rows } = yield* ask(query.compile());
  return rows.map(toBatchRecord);
}
