import { MonqueError, validateCronExpression, validateJobName, WorkerRegistrationError } from '@monque/core';
import { nameOf } from '@tsed/core';
import { injector, type Provider, type TokenProvider } from '@tsed/di';
import { ProviderTypes } from '../constants.js';
import { type AnyClass, classesOutsideControllers, ownMetadata } from '../metadata/class-metadata.js';
import { collectJobMetadata, type JobMetadata } from '../metadata/collect-job-metadata.js';
import { getJobToken } from '../metadata/get-job-token.js';
import { tellWhere } from './tell-where.js';

/** A handler of the application that starts. */
export interface Handler {
  /** Its class and method, for logs and errors. */
  readonly where: string;
  /** Token of its controller. */
  readonly token: TokenProvider;
  readonly job: JobMetadata;
}

/** The controllers that the application has, whichever module brought them. */
export function findControllers(): Provider[] {
  return injector().providers.getMany(ProviderTypes.WORKER_CONTROLLER);
}

/**
 * Finds the handlers of all controllers, and refuses what cannot work before anything is connected or written.
 *
 * @throws MonqueError naming the class, the method and what to change.
 */
export function findHandlers(controllers: readonly Provider[]): Handler[] {
  const [outside] = classesOutsideControllers();
  if (outside !== undefined) throw outsideController(outside);
  const handlers = controllers.flatMap(({ token, useClass }) => {
    // A provider that was replaced for a test keeps the jobs of the class that it stands in for.
    const target = (typeof token === 'function' ? token : useClass) as AnyClass;
    return collectJobMetadata(target).map((job) => checkedHandler(token, target, job));
  });
  refuseDuplicates(handlers);
  return handlers;
}

function checkedHandler(token: TokenProvider, target: AnyClass, job: JobMetadata): Handler {
  const where = getJobToken(target, job.method);
  if (typeof (target.prototype as Record<string, unknown>)[job.method] !== 'function') {
    throw new WorkerRegistrationError(
      `${where} is no method. Write "${job.method}" as a method of ${nameOf(target)}, not as a property or a static one`,
      job.fullName,
    );
  }
  try {
    validateJobName(job.name);
    validateJobName(job.fullName);
    if (job.kind === 'cron') validateCronExpression(job.pattern, job.opts.timezone);
  } catch (error) {
    throw tellWhere(where, error);
  }
  return { where, token, job };
}

function refuseDuplicates(handlers: readonly Handler[]): void {
  const seen = new Map<string, Handler>();
  for (const handler of handlers) {
    const { fullName, instance } = handler.job;
    const key = JSON.stringify([instance, fullName]);
    const first = seen.get(key);
    if (first !== undefined) {
      throw new WorkerRegistrationError(
        `Monque: Duplicate job registration detected: both ${first.where} and ${handler.where} handle "${fullName}". ` +
          'Give one of them another name, or its controller another namespace',
        fullName,
      );
    }
    seen.set(key, handler);
  }
}

function outsideController(target: AnyClass): MonqueError {
  const { workers, cronJobs } = ownMetadata(target);
  const [handler] = [...workers, ...cronJobs];
  return new MonqueError(
    `${getJobToken(target, handler?.method ?? 'constructor')} handles jobs, but ${nameOf(target)} is no controller. ` +
      `Add @WorkerController() to ${nameOf(target)}, or to a class that extends it`,
  );
}
