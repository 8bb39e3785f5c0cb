import { type Job, memory } from '@monque/core';
import { MonqueService, Worker, WorkerController } from '@monque/tsed';
import { Injectable, inject } from '@tsed/di';
import { PlatformTest } from '@tsed/platform-http/testing';
import { afterEach, describe, expect, test, vi } from 'vitest';
import { perform } from '../support/application.js';

@Injectable()
class Mailer {
  send(to: string): string {
    return `sent to ${to}`;
  }
}

@WorkerController('email')
class EmailController {
  constructor(private readonly mailer: Mailer) {}

  @Worker('welcome')
  welcome(job: Job<{ to: string }>) {
    return this.mailer.send(job.data.to);
  }
}

@Injectable()
class Users {
  constructor(private readonly monque: MonqueService) {}

  async register(email: string) {
    await this.monque.enqueue('email.welcome', { to: email });
  }
}

afterEach(() => PlatformTest.reset());

describe('with PlatformTest', () => {
  test('a handler is called like any method, with what it depends on replaced', async () => {
    await PlatformTest.create({ monque: { enabled: false } });
    const send = vi.fn(() => 'sent by nobody');
    const controller = await PlatformTest.invoke<EmailController>(EmailController, [
      { token: Mailer, use: { send } },
    ]);
    expect(controller.welcome({ data: { to: 'ada' } } as Job<{ to: string }>)).toBe('sent by nobody');
    expect(send).toHaveBeenCalledWith('ada');
  });

  test('jobs run in memory', async () => {
    await PlatformTest.create({ monque: { db: memory() } });
    expect((await perform('email.welcome', { to: 'ada' }))?.result).toBe('sent to ada');
  });

  test('a controller that is replaced gets the jobs of the one that it stands in for', async () => {
    const welcome = vi.fn(() => 'replaced');
    await PlatformTest.create({
      monque: { db: memory() },
      imports: [{ token: EmailController, use: { welcome } }],
    });
    expect((await perform('email.welcome', { to: 'ada' }))?.result).toBe('replaced');
    expect(welcome).toHaveBeenCalledOnce();
  });

  test('so does one that is replaced by another class', async () => {
    class Replacement {
      welcome() {
        return 'by another class';
      }
    }
    await PlatformTest.create({
      monque: { db: memory() },
      imports: [{ token: EmailController, useClass: Replacement }],
    });
    expect((await perform('email.welcome', { to: 'ada' }))?.result).toBe('by another class');
  });

  test('what enqueues is tested with a service that only records', async () => {
    await PlatformTest.create({ monque: { enabled: false } });
    const enqueue = vi.fn();
    const users = await PlatformTest.invoke<Users>(Users, [{ token: MonqueService, use: { enqueue } }]);
    await users.register('ada@example.com');
    expect(enqueue).toHaveBeenCalledWith('email.welcome', { to: 'ada@example.com' });
    expect(() => inject(MonqueService).monque).toThrow('not initialized');
  });
});
