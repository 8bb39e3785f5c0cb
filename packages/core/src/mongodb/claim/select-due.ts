import type { ClaimRequest } from '../../store/claim-types.js';
import { inChunks } from '../../store/in-chunks.js';
import { LowWaterMark } from '../../store/low-water-mark.js';
import type { JobDocument } from '../documents/job-document.js';
import type { MongoContext } from '../mongo-context.js';
import { byUrgency, ClaimQuota } from './claim-quota.js';
import { Contention } from './contention.js';
import { type DueQueries, type DueQuery, dueQueries, type Experience } from './due-queries.js';
import { SharedScan } from './shared-scan.js';

/** What a claim is about to take. */
export interface Selection {
  readonly documents: JobDocument[];
  /** Whether a limit left something out. */
  readonly cut: boolean;
}

/**
 * Chooses due jobs: above the plain ones, plain, below them. Few systems use priorities at all, and few of
 * those have more due jobs with a priority than one claim takes; so these are read in one query, beside the one
 * for plain jobs, and ranked here. Only a crowd of them is ranked by the server.
 */
export class DueSelector {
  readonly #context: MongoContext;
  readonly #experience: Experience = {
    mark: new LowWaterMark(),
    contention: new Contention(),
    shared: new SharedScan(),
  };
  /** Whether the latest claim met more due jobs with a priority than it could take. */
  #crowded = false;
  /** The names of the latest look, where it found nothing. */
  #quiet: ReadonlySet<string> | undefined;

  constructor(context: MongoContext) {
    this.#context = context;
  }

  async select(request: ClaimRequest): Promise<Selection> {
    const queries = dueQueries(this.#context, request.now, this.#experience);
    const quota = new ClaimQuota(request.wants, request.total);
    const isLook = quota.left > 0;
    const names = request.wants.map(({ name }) => name);
    if (isLook) {
      this.#context.announced.pass(names, request.now);
      if (this.#crowded || !(await this.#selectFromFew(quota, queries)))
        await this.#selectFromCrowd(quota, queries);
    }
    const documents = quota.taken;
    this.#quiet = isLook && documents.length === 0 && !quota.cut ? new Set(names) : undefined;
    return { documents, cut: quota.cut };
  }

  /** Whether the latest look was for all that is wanted, and found nothing. */
  isQuiet({ wants }: ClaimRequest): boolean {
    const quiet = this.#quiet;
    return quiet !== undefined && wants.every(({ name }) => quiet.has(name));
  }

  /** Something was due after all: the next look is for whatever came with it. */
  endQuiet(): void {
    this.#quiet = undefined;
  }

  /** Takes note of how many of the chosen jobs others took first. */
  noteLost(lost: number, chosen: number): void {
    this.#experience.contention.note(lost, chosen);
  }

  /** Answers false, with nothing taken, if it met a crowd. */
  async #selectFromFew(quota: ClaimQuota, queries: DueQueries): Promise<boolean> {
    const limit = quota.left + 1;
    const names = quota.openNames;
    const [ranked, plain] = await Promise.all([
      queries.anyPriority(names, limit),
      queries.plain(names, limit),
    ]);
    if (ranked.length === limit) {
      this.#crowded = true;
      return false;
    }
    ranked.sort(byUrgency);
    for (const job of ranked) if (isAbove(job)) quota.take(job);
    await fill(quota, queries.plain, plain);
    for (const job of ranked) if (!isAbove(job)) quota.take(job);
    return true;
  }

  async #selectFromCrowd(quota: ClaimQuota, queries: DueQueries): Promise<void> {
    const names = quota.openNames.length;
    await fill(quota, queries.above);
    await fill(quota, queries.plain);
    await fill(quota, queries.below);
    this.#crowded = quota.left === 0;
    // A name whose limit was reached early may have more among the kinds that were asked for later.
    if (quota.openNames.length < names) quota.cut = true;
  }
}

/** Into how many lists names are divided when a crowd hides some of them once more. */
const PARTS = 4;

/**
 * Takes what one query finds. A name with many due jobs fills a whole answer and hides the others: then those that
 * have not got their share are asked for again without it. Where many names are crowded, one at a time would read
 * each crowd again for every name; so they are asked for in ever shorter lists, down to each by itself.
 *
 * @param first - The answer of the first round, where it is known already.
 */
async function fill(quota: ClaimQuota, query: DueQuery, first?: readonly JobDocument[]): Promise<void> {
  // Nothing more may be taken: whether there is more is known only where somebody has looked.
  if (quota.left === 0 && first?.length !== 0) quota.cut = true;
  const taken = new Map<string, number>();
  let lists = [quota.openNames];
  for (let round = 0; quota.left > 0 && lists.length > 0; round += 1) {
    const answers = await Promise.all(
      lists.map(async (names) => {
        const before = names.reduce((sum, name) => sum + (taken.get(name) ?? 0), 0);
        // One more than wanted tells whether there is more, and what was taken here before comes again.
        const limit = quota.leftOf(names) + before + 1;
        const documents = (round === 0 ? first : undefined) ?? (await query(names, limit));
        return { names, documents, isFull: documents.length >= limit };
      }),
    );
    for (const job of answers.flatMap(({ documents }) => documents).sort(byUrgency)) {
      if (quota.take(job)) taken.set(job.name, (taken.get(job.name) ?? 0) + 1);
    }
    const open = new Set(quota.openNames);
    // Names that compete stay in one list: only that tells which of their jobs is the most urgent.
    const parts = round === 0 || quota.isTight ? 1 : PARTS;
    lists = answers.flatMap(({ names, isFull }) => {
      const hidden = isFull ? names.filter((name) => open.has(name)) : [];
      return inChunks(hidden, Math.ceil(hidden.length / parts));
    });
  }
}

function isAbove(job: JobDocument): boolean {
  return (job.priority ?? 0) > 0;
}
