import { defineJob, InvalidPayloadError, type StandardSchemaV1 } from '@monque/core';
import { expect, test } from 'vitest';
import type { ConformanceSubject } from '../subject.js';
import { apiSuite } from './instances.js';
import { collect } from './signals.js';

interface Email {
  to: string;
}

/** A schema as any library that follows Standard Schema makes one. */
const emailSchema: StandardSchemaV1<Email, Email> = {
  '~standard': {
    version: 1,
    vendor: 'conformance',
    validate: (value) => {
      const to = (value as Partial<Email> | null)?.to;
      return typeof to === 'string'
        ? { value: { to } }
        : { issues: [{ message: 'Must be text', path: ['to'] }] };
    },
  },
};

export function definitionTests(subject: ConformanceSubject): void {
  apiSuite(subject, 'a definition', (api) => {
    test('takes the place of a name in enqueue, register and schedule', async () => {
      const greet = defineJob<Email, string>('greet');
      const monque = await api.monque();
      monque.register(greet, ({ data }) => `Hello, ${data.to}`);
      const job = await monque.enqueue(greet, { to: 'Ada' });
      const series = await monque.schedule('0 * * * *', greet, { to: 'Bob' });
      await monque.drain();
      expect(await api.stored(job)).toMatchObject({
        name: 'greet',
        status: 'completed',
        result: 'Hello, Ada',
      });
      expect(await api.stored(series)).toMatchObject({ name: 'greet', repeatInterval: '0 * * * *' });
    });

    test('brings priority, attempts, backoff and timeout', async () => {
      const urgent = defineJob<Email>('urgent', { priority: 7, maxRetries: 1, timeout: 60_000 });
      const monque = await api.monque();
      monque.register(urgent, () => {
        throw new Error('broken');
      });
      const job = await monque.enqueue(urgent, { to: 'Ada' });
      expect((await api.stored(job)).priority).toBe(7);
      await monque.drain();
      expect((await api.stored(job)).status).toBe('failed');
    });

    test('its schema refuses a payload on enqueue, listing the issues, before anything is written', async () => {
      const email = defineJob('email', { schema: emailSchema });
      const monque = await api.monque();
      const failure = monque.enqueue(email, { to: 42 } as never);
      await expect(failure).rejects.toThrow(InvalidPayloadError);
      await expect(failure).rejects.toMatchObject({ issues: [{ message: 'Must be text' }] });
      await expect(monque.schedule('0 * * * *', email, {} as never)).rejects.toThrow(InvalidPayloadError);
      expect(await api.count()).toBe(0);
    });

    test('its schema is asked again before the run, where a refusal is final, without retries', async () => {
      const email = defineJob('email', { schema: emailSchema });
      const monque = await api.monque({ maxRetries: 10 });
      const runs: unknown[] = [];
      monque.register(email, ({ data }) => void runs.push(data));
      const failures = collect(monque, 'job:fail');
      const id = await api.write({ name: 'email', data: { to: 42 }, nextRunAt: new Date(0) });
      await monque.drain();
      expect(runs).toEqual([]);
      expect(failures).toMatchObject([{ willRetry: false }]);
      expect(failures[0]?.error).toBeInstanceOf(InvalidPayloadError);
      expect(await api.stored(id)).toMatchObject({ status: 'failed', failCount: 1 });
    });
  });
}
