import { spawnScript } from '@monque/test-servers/vitest';
import { expect, test } from 'vitest';

test('orders go through their pipeline, and an import of 10,000 rows ends with its report', {
  timeout: 180_000,
}, async () => {
  const example = spawnScript(new URL('../workflows/main.ts', import.meta.url));
  expect(await example.exited).toEqual({ code: 0, signal: null });
  for (const order of [5, 6]) {
    expect(example.output).toContain(`order ${order}: paid (R-${order}), goods are picked`);
    expect(example.output).toContain(`order ${order}: shipped, from shelf A${order}`);
  }
  expect(example.output).toContain('order 7: we are sorry, the card was declined');
  expect(example.output).not.toContain('order 7: paid');
  expect(example.output).toContain('9990 of 10000 rows imported, 10 failed');
  expect(example.output).toContain('batch "Import of 2026-11-15" is complete: failed');
});
