import { $log } from '@tsed/logger';
import { onTestFinished, vi } from 'vitest';

type Line = Readonly<Record<string, unknown>>;

/** Collects what applications log at a level, until the test is over. */
export function logLines(level: 'error' | 'warn'): Line[] {
  const lines: Line[] = [];
  const spy = vi.spyOn($log, level).mockImplementation((line: Line) => {
    lines.push(line);
    return $log;
  });
  onTestFinished(() => spy.mockRestore());
  return lines;
}
