import { Script, spawnScript } from '@monque/test-servers/vitest';
import { expect, test } from 'vitest';

const TALK = new URL('./fixtures/talk.ts', import.meta.url);

interface Message {
  readonly said?: string[];
  readonly greeting?: string;
  readonly core?: string;
  readonly answer?: string;
}

test('a script gets arguments and environment, and runs on the sources', async () => {
  const script = spawnScript(TALK, { args: ['one', 'two'], env: { GREETING: 'hello' } });
  const message = await script.waitFor<Message>(({ said }) => said !== undefined);
  expect(message).toEqual({
    said: ['one', 'two'],
    greeting: 'hello',
    core: expect.stringMatching(/core\/src\/.*\.ts:\d+/),
  });
});

test('waitFor finds messages of the past and of the future', async () => {
  const script = spawnScript(TALK);
  const future = script.waitFor<Message>(({ answer }) => answer === 'b');
  await script.waitFor<Message>(({ said }) => said !== undefined);
  script.send('a');
  script.send('b');
  await future;
  expect(await script.waitFor<Message>(({ answer }) => answer === 'a')).toEqual({ answer: 'a' });
});

test('waitFor fails at its deadline', async () => {
  const script = spawnScript(TALK);
  await expect(script.waitFor(() => false, 50)).rejects.toThrow('within 50 ms');
});

test('waitFor fails with the output of a script that ends', async () => {
  const script = spawnScript(TALK);
  await script.waitFor<Message>(({ said }) => said !== undefined);
  script.send('fail');
  await expect(script.waitFor<Message>(({ answer }) => answer === 'never')).rejects.toThrow('as asked');
  expect(await script.exited).toEqual({ code: 1, signal: null });
});

test('a script that hangs up finishes what it does, and ends with its own code', async () => {
  const script = spawnScript(TALK);
  await script.waitFor<Message>(({ said }) => said !== undefined);
  script.send('hang up');
  expect(await script.exited).toEqual({ code: 3, signal: null });
});

test('a script that still runs is killed when it is disposed of', async () => {
  const script = new Script(TALK);
  await script.waitFor<Message>(({ said }) => said !== undefined);
  await script[Symbol.asyncDispose]();
  expect(await script.exited).toEqual({ code: null, signal: 'SIGKILL' });
});

test('a script that can be killed says how it ended', async () => {
  const script = spawnScript(TALK);
  script.kill('SIGTERM');
  expect(await script.exited).toEqual({ code: null, signal: 'SIGTERM' });
});
