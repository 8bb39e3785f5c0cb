import type { Collection, ObjectId } from 'mongodb';
import type { Misfire, StoredTemplate, TemplateSchedule } from '../../store/recurring-types.js';

/** A recurring template as MongoDB holds it. Documents that others wrote may lack fields. */
export interface TemplateDocument {
  _id: string;
  cron: string;
  name: string;
  data?: unknown;
  timezone?: string | null;
  maxRetries?: number | null;
  misfire?: Misfire | null;
  enabled: boolean;
  nextExecution?: Date | null;
  lastExecution?: Date | null;
  lastJobId?: ObjectId;
  planned?: TemplateSchedule;
  createdAt?: Date;
  updatedAt?: Date;
}

/** The collection of recurring templates. */
export type Templates = Collection<TemplateDocument>;

/** The zone of a template that names none. */
export const DEFAULT_ZONE = 'UTC';

/** A time of a document that nobody stamped. */
const UNKNOWN_TIME = new Date(0);

/** A template for the port; what is missing reads as its default. */
export function toTemplate(document: TemplateDocument): StoredTemplate<ObjectId> {
  const { _id, cron, name, data, timezone, maxRetries, misfire, enabled, lastJobId, planned } = document;
  const { nextExecution, lastExecution, createdAt = UNKNOWN_TIME, updatedAt = createdAt } = document;
  return {
    id: _id,
    cron,
    name,
    data: data ?? null,
    timezone: timezone ?? DEFAULT_ZONE,
    ...(maxRetries !== undefined && maxRetries !== null && { maxRetries }),
    misfire: misfire ?? 'once',
    enabled,
    // A next time that is no time counts as none: it is computed.
    ...(nextExecution instanceof Date && { nextExecution }),
    ...(lastExecution instanceof Date && { lastExecution }),
    ...(lastJobId !== undefined && { lastJobId }),
    ...(planned !== undefined && { planned }),
    createdAt,
    updatedAt,
  };
}
