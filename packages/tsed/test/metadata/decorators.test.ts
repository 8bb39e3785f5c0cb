import type { Job as StoredJob } from '@monque/core';
import {
  buildJobName,
  Cron,
  collectJobMetadata,
  getJobToken,
  Job,
  JobController,
  MONQUE,
  ProviderTypes,
  Worker,
  WorkerController,
} from '@monque/tsed';
import { Store } from '@tsed/core';
import { GlobalProviders } from '@tsed/di';
import { describe, expect, test } from 'vitest';

const storeOf = (target: abstract new (...args: never[]) => object) => Store.from(target).get(MONQUE);

@WorkerController('email')
class EmailController {
  @Worker('send')
  send() {}

  @Worker('bounce', { concurrency: 2, replace: true })
  bounce() {}

  @Cron('@daily')
  digest() {}

  @Cron('*/5 * * * *', { name: 'poll', uniqueKey: 'mailbox', timezone: 'Europe/Berlin' })
  pollMailbox() {}
}

describe('the metadata of a class', () => {
  test('has the shape of the specification, under its key', () => {
    expect(MONQUE).toBe(Symbol.for('monque'));
    expect(storeOf(EmailController)).toEqual({
      type: 'controller',
      namespace: 'email',
      workers: [
        { name: 'send', method: 'send', opts: {} },
        { name: 'bounce', method: 'bounce', opts: { concurrency: 2, replace: true } },
      ],
      cronJobs: [
        { pattern: '@daily', name: 'digest', method: 'digest', opts: {} },
        {
          pattern: '*/5 * * * *',
          name: 'poll',
          method: 'pollMailbox',
          opts: { name: 'poll', uniqueKey: 'mailbox', timezone: 'Europe/Berlin' },
        },
      ],
    });
  });

  test('has no namespace where none is given', () => {
    @WorkerController()
    class Plain {}
    expect(storeOf(Plain)).toEqual({ type: 'controller', workers: [], cronJobs: [] });
  });

  test('is the same with the later names @JobController and @Job on a method', () => {
    @JobController('email')
    class Later {
      @Job('send', { concurrency: 3 })
      send() {}
    }
    expect(storeOf(Later)).toEqual({
      type: 'controller',
      namespace: 'email',
      workers: [{ name: 'send', method: 'send', opts: { concurrency: 3 } }],
      cronJobs: [],
    });
  });

  test('of a class with @Job names its handle method', () => {
    @Job({ name: 'process-order', maxRetries: 3 })
    class ProcessOrder {
      handle(job: StoredJob<{ orderId: string }>) {
        return job.data.orderId;
      }
    }
    expect(storeOf(ProcessOrder)).toEqual({
      type: 'controller',
      workers: [{ name: 'process-order', method: 'handle', opts: { maxRetries: 3 } }],
      cronJobs: [],
    });
    expect(GlobalProviders.get(ProcessOrder)?.type).toBe('monque:worker-controller');
  });

  test('makes it a provider of its own type', () => {
    expect(ProviderTypes).toEqual({ WORKER_CONTROLLER: 'monque:worker-controller', CRON: 'monque:cron' });
    expect(GlobalProviders.get(EmailController)?.type).toBe(ProviderTypes.WORKER_CONTROLLER);
  });
});

describe('collectJobMetadata', () => {
  test('gives every handler its full name', () => {
    expect(collectJobMetadata(EmailController).map(({ kind, fullName }) => [kind, fullName])).toEqual([
      ['worker', 'email.send'],
      ['worker', 'email.bounce'],
      ['cron', 'email.digest'],
      ['cron', 'email.poll'],
    ]);
  });

  test('finds what a class inherits, and takes what it decorates again as it is there', () => {
    class Base {
      @Worker('first')
      first() {}

      @Worker('second')
      second() {}

      @Cron('@hourly')
      tidy() {}
    }
    @WorkerController('heir')
    class Heir extends Base {
      override first() {}

      @Worker('second-again')
      override second() {}
    }
    expect(collectJobMetadata(Heir).map(({ fullName, method }) => [fullName, method])).toEqual([
      ['heir.second-again', 'second'],
      ['heir.first', 'first'],
      ['heir.tidy', 'tidy'],
    ]);
    expect(collectJobMetadata(Base).map(({ fullName }) => fullName)).toEqual(['first', 'second', 'tidy']);
  });

  test('finds nothing in a class without decorators', () => {
    expect(collectJobMetadata(class Plain {})).toEqual([]);
  });
});

test('buildJobName puts the namespace before the name', () => {
  expect(buildJobName('email', 'send')).toBe('email.send');
  expect(buildJobName(undefined, 'send')).toBe('send');
  expect(buildJobName('', 'send')).toBe('send');
});

test('getJobToken names a handler by its class and method', () => {
  expect(getJobToken(EmailController, 'send')).toBe('EmailController.send');
});
