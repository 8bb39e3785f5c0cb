import { Store } from '@tsed/core';
import { MONQUE } from '../constants.js';
import type { CronMetadata, WorkerMetadata, WorkerStore } from './worker-store.js';

/** A class, whatever its constructor takes. */
export type AnyClass = abstract new (...args: never[]) => object;

/** Metadata of a class on its way: method decorators run before that of the class. */
type PartialStore = Omit<WorkerStore, 'type'> & Partial<Pick<WorkerStore, 'type'>>;

/** Every class with a decorated method, so that one that is in no controller can be found. */
const withHandlers = new Set<AnyClass>();

/** What the decorators have noted on the class itself; what its ancestors have is not part of it. */
export function ownMetadata(target: AnyClass): PartialStore {
  return Store.from(target).get<PartialStore>(MONQUE) ?? { workers: [], cronJobs: [] };
}

/** Adds to the metadata of a class. Always a new object: whoever has read the former one keeps it as it was. */
export function addMetadata(
  target: AnyClass,
  added: Partial<Omit<WorkerStore, 'workers' | 'cronJobs'>> & {
    readonly worker?: WorkerMetadata;
    readonly cron?: CronMetadata;
  },
): void {
  const { worker, cron, ...rest } = added;
  const { workers, cronJobs, ...before } = ownMetadata(target);
  Store.from(target).set(MONQUE, {
    ...before,
    ...rest,
    workers: worker === undefined ? workers : [...workers, worker],
    cronJobs: cron === undefined ? cronJobs : [...cronJobs, cron],
  } satisfies PartialStore);
  withHandlers.add(target);
}

/** The class and its ancestors, itself first. Ts.ED's stores are not inherited, so whoever reads them walks. */
export function lineageOf(target: AnyClass): AnyClass[] {
  const lineage: AnyClass[] = [];
  for (let each: unknown = target; typeof each === 'function'; each = Object.getPrototypeOf(each)) {
    if (each === Function.prototype) break;
    lineage.push(each as AnyClass);
  }
  return lineage;
}

/** Classes whose methods are decorated, and that neither are controllers nor have a controller among their heirs. */
export function classesOutsideControllers(): AnyClass[] {
  const controllers = [...withHandlers].filter((each) => ownMetadata(each).type === 'controller');
  const reached = new Set(controllers.flatMap(lineageOf));
  return [...withHandlers].filter((each) => !reached.has(each));
}
