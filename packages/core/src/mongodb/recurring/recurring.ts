import type { Document, Filter, ObjectId } from 'mongodb';
import type {
  DueTemplatesRequest,
  RecurringStore,
  StoredTemplate,
  TemplateChange,
  TemplateStep,
} from '../../store/recurring-types.js';
import { answered } from '../answered.js';
import { DUPLICATE_KEY, errorCode } from '../driver-errors.js';
import { DEFAULT_ZONE, type TemplateDocument, type Templates, toTemplate } from './template-document.js';

type Template = StoredTemplate<ObjectId>;

/** What says that the next time was computed from the cron text and zone as they are now. */
const CHANGED_BY_HAND: Document = {
  $or: [
    { $ne: ['$planned.cron', '$cron'] },
    { $ne: ['$planned.timezone', { $ifNull: ['$timezone', DEFAULT_ZONE] }] },
  ],
};

/**
 * Recurring templates in a collection of their own. It has no index but that of the ids: there are hundreds of
 * templates, not millions, and the server reads all of them faster than it would keep an index through every firing.
 */
export class MongoRecurring implements RecurringStore<ObjectId> {
  readonly #templates: () => Templates;

  /** @param templates - Throws while the store is not open. */
  constructor(templates: () => Templates) {
    this.#templates = templates;
  }

  async put(change: TemplateChange): Promise<Template> {
    try {
      return await this.#upsert(change);
    } catch (error) {
      if (errorCode(error) !== DUPLICATE_KEY) throw error;
      // Another process stored it between the look and the insert of the server: now it is there to be changed.
      return this.#upsert(change);
    }
  }

  async get(id: string): Promise<Template | undefined> {
    const document = await this.#templates().findOne({ _id: id });
    return document === null ? undefined : toTemplate(document);
  }

  async list(): Promise<Template[]> {
    const documents = await this.#templates()
      .find({ _id: { $gte: '' } }, { sort: { _id: 1 } })
      .toArray();
    return documents.map(toTemplate);
  }

  async setEnabled(id: string, resumeAt: Date | false, at: Date): Promise<Template | undefined> {
    const enabled = resumeAt !== false;
    const document = await this.#templates().findOneAndUpdate(
      { _id: id, enabled: { $ne: enabled } },
      { $set: { enabled, ...(enabled && { nextExecution: resumeAt }), updatedAt: at } },
      { returnDocument: 'after' },
    );
    return document === null ? undefined : toTemplate(document);
  }

  async remove(id: string): Promise<boolean> {
    const { deletedCount } = await this.#templates().deleteOne({ _id: id });
    return deletedCount > 0;
  }

  async due({ until, limit, after }: DueTemplatesRequest): Promise<Template[]> {
    const looking = this.#templates()
      .find(
        {
          enabled: true,
          _id: { $gt: after ?? '' },
          // Not later, instead of earlier: this also holds for a next time that is absent, or no time.
          $or: [{ nextExecution: { $not: { $gt: until } } }, { $expr: CHANGED_BY_HAND }],
        },
        { sort: { _id: 1 }, limit },
      )
      .toArray();
    const documents = await answered(looking);
    return documents.map(toTemplate);
  }

  async advance(steps: readonly TemplateStep<ObjectId>[]): Promise<void> {
    if (steps.length === 0) return;
    const writing = this.#templates().bulkWrite(
      steps.map(({ template, next, last }) => {
        const { cron, timezone } = template;
        const set = {
          nextExecution: next,
          planned: { cron, timezone },
          ...(last && { lastExecution: last.at, lastJobId: last.jobId }),
        };
        return { updateOne: { filter: asRead(template), update: { $set: set } } };
      }),
      { ordered: false },
    );
    await answered(writing);
  }

  async noteFired(id: string, { at, jobId }: { at: Date; jobId: ObjectId }): Promise<void> {
    await this.#templates().updateOne({ _id: id }, { $set: { lastExecution: at, lastJobId: jobId } });
  }

  async #upsert({ id, at, enabled, nextExecution, ...change }: TemplateChange): Promise<Template> {
    const { cron, timezone, maxRetries } = change;
    const document = await this.#templates().findOneAndUpdate(
      { _id: id },
      {
        $set: {
          ...change,
          ...(nextExecution !== undefined && { nextExecution, planned: { cron, timezone } }),
          ...(enabled !== undefined && { enabled }),
          updatedAt: at,
        },
        ...(maxRetries === undefined && { $unset: { maxRetries: 1 } }),
        $setOnInsert: { createdAt: at, ...(enabled === undefined && { enabled: true }) },
      },
      { upsert: true, returnDocument: 'after' },
    );
    if (document === null) throw new Error('The server answered no document for an upsert');
    return toTemplate(document);
  }
}

/** A template whose schedule is as it was read. */
function asRead({ id, cron, timezone, nextExecution }: Template): Filter<TemplateDocument> {
  return {
    _id: id,
    cron,
    timezone: timezone === DEFAULT_ZONE ? { $in: [DEFAULT_ZONE, null] } : timezone,
    nextExecution: nextExecution ?? { $not: { $type: 'date' } },
  };
}
