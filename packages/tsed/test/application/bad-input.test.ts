import {
  InvalidCronError,
  InvalidJobIdentifierError,
  InvalidOptionError,
  MonqueError,
  memory,
  WorkerRegistrationError,
} from '@monque/core';
import { Cron, Job, MONQUE, MonqueService, Worker, WorkerController } from '@monque/tsed';
import { Store } from '@tsed/core';
import { inject } from '@tsed/di';
import { describe, expect, test } from 'vitest';
import { boot, onlyInThisTest } from '../support/application.js';

/** Boots with a controller that must be refused, twice: bootstrapping again says the same again. */
async function refused(
  Controller: new (...args: never[]) => object,
  kind: new (...args: never[]) => Error,
  ...messages: string[]
): Promise<void> {
  onlyInThisTest(Controller);
  const dbFactory = () => Promise.reject(new Error('the database was asked for'));
  for (const _ of [1, 2]) {
    const answer = boot({ imports: [Controller], monque: { dbFactory } });
    await expect(answer).rejects.toThrow(kind);
    for (const message of messages) await expect(answer).rejects.toThrow(message);
  }
}

describe('the database', () => {
  test.each([undefined, {}, { maxRetries: 3 }])('is missing: %j', async (monque) => {
    const answer = boot(monque === undefined ? {} : { monque });
    await expect(answer).rejects.toThrow(MonqueError);
    await expect(answer).rejects.toThrow(
      "MonqueTsedConfig requires exactly one of 'db', 'dbFactory', or 'dbToken' to be set",
    );
  });

  test('is given twice', async () => {
    const answer = boot({ monque: { db: memory(), dbFactory: () => memory() } });
    await expect(answer).rejects.toThrow(
      "MonqueTsedConfig accepts only one of 'db', 'dbFactory', or 'dbToken' - multiple were provided",
    );
  });

  test('is a token that resolves to nothing, or to something else', async () => {
    await expect(boot({ monque: { dbToken: 'NOBODY_KNOWS' } })).rejects.toThrow(
      "'dbToken' (NOBODY_KNOWS) resolves to nothing",
    );
    await expect(boot({ monque: { dbToken: MonqueService as never } })).rejects.toThrow(
      "'dbToken' (MonqueService) is an instance of MonqueService. It must be a Db",
    );
  });
});

describe('a name', () => {
  test('is empty', async () => {
    @WorkerController('orders')
    class NamelessController {
      @Worker('')
      process() {}
    }
    await refused(
      NamelessController,
      InvalidJobIdentifierError,
      'NamelessController.process: Job name must not be empty',
    );
  });

  test('is empty in @Job on a class', async () => {
    @Job({ name: '' })
    class NamelessJob {
      handle() {}
    }
    await refused(NamelessJob, InvalidJobIdentifierError, 'NamelessJob.handle: Job name must not be empty');
  });

  test('is empty in @Cron', async () => {
    @WorkerController()
    class NamelessCron {
      @Cron('@daily', { name: '' })
      tidy() {}
    }
    await refused(NamelessCron, InvalidJobIdentifierError, 'NamelessCron.tidy: Job name');
  });

  test('has blanks, also in the namespace', async () => {
    @WorkerController('all orders')
    class BlankController {
      @Worker('process')
      process() {}
    }
    await refused(
      BlankController,
      InvalidJobIdentifierError,
      'BlankController.process: Job name must not contain white space',
    );
  });

  test('is no text', async () => {
    @WorkerController()
    class NumberController {
      @Worker(7 as never)
      process() {}
    }
    await refused(
      NumberController,
      InvalidJobIdentifierError,
      'NumberController.process: Job name must be a string',
    );
  });

  test('is taken: twice in one controller', async () => {
    @WorkerController('orders')
    class TwiceController {
      @Worker('process')
      one() {}

      @Worker('process')
      two() {}
    }
    await refused(
      TwiceController,
      WorkerRegistrationError,
      'Monque: Duplicate job registration detected: both TwiceController.one and TwiceController.two handle "orders.process"',
      'another name',
    );
  });

  test('is taken: by @Cron in another controller', async () => {
    @WorkerController('orders')
    class FirstController {
      @Worker('process')
      process() {}
    }
    onlyInThisTest(FirstController);
    @WorkerController()
    class SecondController {
      @Cron('@daily', { name: 'orders.process' })
      everyDay() {}
    }
    await refused(
      SecondController,
      WorkerRegistrationError,
      'both FirstController.process and SecondController.everyDay handle "orders.process"',
    );
  });

  test('is taken: by @Job on a class', async () => {
    @WorkerController()
    class MethodController {
      @Worker('process')
      process() {}
    }
    onlyInThisTest(MethodController);
    @Job({ name: 'process' })
    class ClassHandler {
      handle() {}
    }
    await refused(
      ClassHandler,
      WorkerRegistrationError,
      'both MethodController.process and ClassHandler.handle handle "process"',
    );
  });
});

describe('a cron expression', () => {
  test.each(['', 'nonsense', '61 * * * *', '* * * * * *', '0 0 31 2 *'])(
    'is invalid: %j',
    async (pattern) => {
      @WorkerController('reports')
      class ReportController {
        @Cron(pattern)
        daily() {}
      }
      await refused(
        ReportController,
        InvalidCronError,
        `ReportController.daily: Invalid cron expression "${pattern}"`,
        'Example:',
      );
    },
  );

  test('has a time zone that does not exist', async () => {
    @WorkerController('reports')
    class ZoneController {
      @Cron('@daily', { timezone: 'Mars/Olympus' })
      daily() {}
    }
    await refused(ZoneController, InvalidOptionError, 'ZoneController.daily', 'Mars/Olympus');
  });
});

describe('a method', () => {
  test('is a property', async () => {
    @WorkerController('orders')
    class PropertyController {
      // @ts-expect-error: a property is no method, and the compiler knows
      @Worker('process')
      process = () => undefined;
    }
    await refused(
      PropertyController,
      WorkerRegistrationError,
      'PropertyController.process is no method. Write "process" as a method of PropertyController',
    );
  });

  test('is missing: a class with @Job without handle', async () => {
    // @ts-expect-error: the compiler knows as well
    @Job({ name: 'process' })
    class HandlessJob {}
    await refused(HandlessJob, WorkerRegistrationError, 'HandlessJob.handle is no method');
  });

  test('is missing: metadata that was written by hand', async () => {
    @WorkerController('orders')
    class ByHand {}
    Store.from(ByHand).set(MONQUE, {
      type: 'controller',
      workers: [{ name: 'process', method: 'gone', opts: {} }],
      cronJobs: [],
    });
    await refused(ByHand, WorkerRegistrationError, 'ByHand.gone is no method');
  });
});

describe('options', () => {
  test('of a worker cannot be used', async () => {
    @WorkerController('orders')
    class OptionController {
      @Worker('process', { concurrency: 0 })
      process() {}
    }
    onlyInThisTest(OptionController);
    const answer = boot({ imports: [OptionController], monque: { db: memory() } });
    await expect(answer).rejects.toThrow(InvalidOptionError);
    await expect(answer).rejects.toThrow('OptionController.process: Option "concurrency"');
  });

  test('of a schedule cannot be used', async () => {
    @WorkerController('orders')
    class ScheduleController {
      @Cron('@daily', { maxRetries: -1 })
      process() {}
    }
    onlyInThisTest(ScheduleController);
    const answer = boot({ imports: [ScheduleController], monque: { db: memory() } });
    await expect(answer).rejects.toThrow('ScheduleController.process: Option "maxRetries"');
  });

  test('name an instance that is not there, or the same one twice', async () => {
    @WorkerController('orders', { instance: 'analytics' })
    class ElsewhereController {
      @Worker('process')
      process() {}
    }
    onlyInThisTest(ElsewhereController);
    await expect(boot({ imports: [ElsewhereController], monque: { db: memory() } })).rejects.toThrow(
      'ElsewhereController.process is for the Monque instance "analytics", which is not configured',
    );
    await expect(
      boot({
        monque: [
          { id: 'analytics', db: memory() },
          { id: 'analytics', db: memory() },
        ],
      }),
    ).rejects.toThrow('Two instances under "monque" in @Configuration have the id "analytics"');
  });
});

test('after all that, an application starts', async () => {
  await boot({ monque: { db: memory() } });
  expect(inject(MonqueService).isHealthy()).toBe(true);
});
