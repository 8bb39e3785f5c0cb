import { MonqueError, memory } from '@monque/core';
import { Worker, WorkerController } from '@monque/tsed';
import { Injectable } from '@tsed/di';
import { expect, test } from 'vitest';
import { boot } from '../support/application.js';

/** Fine: its methods are handlers of the class that extends it. */
class Base {
  @Worker('run')
  run() {}
}

@WorkerController('heir')
class Heir extends Base {}

// In a file of its own: a class that is decorated like this stays in the way of every start-up.
@Injectable()
class Forgotten {
  @Worker('send')
  send() {}
}

test('@Worker in a class that is no controller aborts start-up, and a base class of one does not', async () => {
  const answer = boot({ imports: [Heir, Forgotten], monque: { db: memory() } });
  await expect(answer).rejects.toThrow(MonqueError);
  await expect(answer).rejects.toThrow(
    'Forgotten.send handles jobs, but Forgotten is no controller. Add @WorkerController() to Forgotten',
  );
});
