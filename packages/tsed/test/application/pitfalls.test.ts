import { Monque, memory } from '@monque/core';
import { testDatabase } from '@monque/test-servers/vitest';
import { MONQUE_JOB, MonqueModule, MonqueService, Worker, WorkerController } from '@monque/tsed';
import {
  Configuration,
  context,
  DIContext,
  Inject,
  Injectable,
  inject,
  injectable,
  Module,
  ProviderScope,
  runInContext,
  Scope,
} from '@tsed/di';
import { describe, expect, test } from 'vitest';
import { boot, onlyInThisTest, perform } from '../support/application.js';
import { logLines } from '../support/log-lines.js';

const database = testDatabase();

@Injectable()
class Notes {
  readonly destroyed: Scoped[] = [];
}

@Injectable()
@Scope(ProviderScope.REQUEST)
class Scoped {
  constructor(private readonly notes: Notes) {}

  $onDestroy() {
    this.notes.destroyed.push(this);
  }
}

@Injectable()
@Scope(ProviderScope.REQUEST)
class FailsToEnd {
  async $onDestroy() {
    throw new Error('already closed');
  }
}

@WorkerController('pitfall')
@Scope(ProviderScope.REQUEST)
class PitfallController {
  @Inject()
  readonly byProperty!: Scoped;

  constructor(readonly byConstructor: Scoped) {}

  @Worker('context')
  context() {
    return { id: context().id, job: context().get(MONQUE_JOB).name };
  }

  @Worker('inject')
  inject() {
    const byFunction = inject(Scoped, { locals: context().container });
    return [this.byProperty, byFunction].every((each) => each === this.byConstructor);
  }
}

@WorkerController('ending')
@Scope(ProviderScope.REQUEST)
class EndingController {
  constructor(readonly fails: FailsToEnd) {}

  @Worker('work')
  work() {
    return 'done';
  }
}

const imports = [PitfallController, EndingController];

test('a run that begins inside another context has its own all the same', async () => {
  await boot({ imports, monque: { db: memory() } });
  const service = inject(MonqueService);
  // Stopped, so that the job is run by drain(), which is called within a context.
  await service.stop();
  const { _id } = await service.enqueue('pitfall.context', {});
  const request = new DIContext({ id: 'the-request' });
  await runInContext(request, async () => {
    expect(await service.drain()).toMatchObject({ completed: 1 });
    expect(context()).toBe(request);
  });
  expect((await service.getJob(_id))?.result).toEqual({ id: String(_id), job: 'pitfall.context' });
});

test('constructor, @Inject() and inject() with the container of the context give the same provider', async () => {
  await boot({ imports, monque: { db: memory() } });
  expect((await perform('pitfall.inject', {}))?.result).toBe(true);
  expect(inject(Notes).destroyed).toHaveLength(1);
});

describe('a singleton that depends on a REQUEST-scoped provider', () => {
  test('is warned about at start-up, with the way to it and what to do', async () => {
    @Injectable()
    class Between {
      @Inject()
      readonly scoped!: Scoped;
    }
    @WorkerController('singleton')
    class SingletonController {
      constructor(readonly between: Between) {}

      @Worker('work')
      work() {}
    }
    @WorkerController('direct')
    class DirectController {
      constructor(readonly scoped: Scoped) {}

      @Worker('work')
      work() {}
    }
    onlyInThisTest(SingletonController, DirectController, Between);
    const warnings = logLines('warn');
    await boot({ imports: [...imports, SingletonController, DirectController], monque: { db: memory() } });
    expect(warnings.filter(({ event }) => event === 'MONQUE_SCOPE_WARNING')).toEqual([
      {
        event: 'MONQUE_SCOPE_WARNING',
        controller: 'SingletonController',
        message:
          'Between is a singleton and keeps one Scoped, which is REQUEST-scoped, for all jobs (SingletonController > Between > Scoped). ' +
          'Add @Scope(ProviderScope.REQUEST) to SingletonController and to Between',
      },
      {
        event: 'MONQUE_SCOPE_WARNING',
        controller: 'DirectController',
        message:
          'DirectController is a singleton and keeps one Scoped, which is REQUEST-scoped, for all jobs (DirectController > Scoped). ' +
          'Add @Scope(ProviderScope.REQUEST) to DirectController',
      },
    ]);
  });

  test('is not warned about where its controller is REQUEST-scoped', async () => {
    const warnings = logLines('warn');
    await boot({ imports, monque: { db: memory() } });
    expect(warnings).toEqual([]);
  });

  test('cannot ask for the job', async () => {
    @WorkerController('singleton')
    class AskingController {
      constructor(@Inject(MONQUE_JOB) readonly job: unknown) {}

      @Worker('work')
      work() {}
    }
    onlyInThisTest(AskingController);
    await expect(boot({ imports: [AskingController], monque: { db: memory() } })).rejects.toThrow(
      'MONQUE_JOB can be injected while a job runs only',
    );
  });
});

describe('a database in the configuration', () => {
  test('of the root module is used as it is, also beside settings of other modules', async () => {
    const db = memory();
    @Configuration({ imports: [MonqueModule, PitfallController], monque: { db } })
    class Root {}
    @Module({ monque: { maxRetries: 1 } })
    class Settings {}
    onlyInThisTest(Settings);
    await boot({ root: Root });
    const { _id } = await inject(MonqueService).enqueue('elsewhere', {}, { hold: true });
    await using another = new Monque(db);
    await another.initialize();
    expect(await another.getJob(String(_id))).toMatchObject({ name: 'elsewhere' });
  });

  test('of another module is given by a factory', async () => {
    @Module({ monque: { dbFactory: () => database.db, collectionName: 'by_factory' } })
    class JobsModule {}
    onlyInThisTest(JobsModule);
    await boot({ imports: [JobsModule, ...imports] });
    expect((await perform('ending.work', {}))?.result).toBe('done');
    expect(await database.db.collection('by_factory').countDocuments()).toBe(1);
  });

  test('of another module is given by a token', async () => {
    const token = Symbol.for('pitfalls:db');
    injectable(token).factory(() => database.db);
    @Module({ monque: { dbToken: token, collectionName: 'by_token' } })
    class JobsModule {}
    onlyInThisTest(JobsModule, token);
    await boot({ imports: [JobsModule, ...imports] });
    expect((await perform('ending.work', {}))?.result).toBe('done');
    expect(await database.db.collection('by_token').countDocuments()).toBe(1);
  });
});

test('a provider that fails to end is logged, and its job is done all the same', async () => {
  await boot({ imports, monque: { db: memory(), maxRetries: 1 } });
  const errors = logLines('error');
  const job = await perform('ending.work', {});
  expect(job).toMatchObject({ status: 'completed', result: 'done', failCount: 0 });
  expect(errors).toMatchObject([
    { event: 'MONQUE_DESTROY_ERROR', jobName: 'ending.work', handler: 'EndingController.work' },
  ]);
});
