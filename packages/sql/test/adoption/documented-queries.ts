import { readFileSync } from 'node:fs';

const LABELS = { sqlite: 'SQLite', postgres: 'PostgreSQL', mariadb: 'MariaDB' } as const;

/** The headings of docs/sql-queries.md, in their order. */
const TITLES = {
  ready: 'Jobs that are ready',
  batch: 'Jobs of a batch',
  continuations: 'Continuations of a job',
  recurring: 'Active recurring jobs',
  byState: 'Counts by state',
  failedLately: 'Failures of the last 24 hours',
  removeSucceeded: 'Remove jobs that succeeded long ago',
  removeAbandoned: 'Remove jobs that failed for good',
  reset: 'Try failed jobs again at once',
  readyCount: 'How many are ready',
  runningCount: 'How many are running',
  averageSeconds: 'How long jobs waited for their run',
  byType: 'The most common kinds of jobs',
} as const;

export type QueryName = keyof typeof TITLES;

/** The queries that the documentation shows for one database. */
export function documentedQueries(dialect: keyof typeof LABELS): Readonly<Record<QueryName, string>> {
  const page = readFileSync(new URL('../../../../docs/sql-queries.md', import.meta.url), 'utf8');
  const sections = page.split(/^## /m);
  const entries = Object.entries(TITLES).map(([name, title]) => {
    const section = sections.find((text) => text.startsWith(`${title}\n`));
    const query = new RegExp(`^\`\`\`sql\n-- ${LABELS[dialect]}\n(.*?)\n\`\`\`$`, 'ms').exec(
      section ?? '',
    )?.[1];
    if (query === undefined) throw new Error(`docs/sql-queries.md has no "${title}" for ${LABELS[dialect]}`);
    return [name, query];
  });
  return Object.fromEntries(entries) as Record<QueryName, string>;
}

/** JobSharp's own queries in their SQLite form: its lines for SQLite instead of those for SQL Server. */
export function jobSharpQueries(): string[] {
  const text = readFileSync(new URL('../seed/jobsharp-queries.sql', import.meta.url), 'utf8');
  return text
    .split(/\n\n+/)
    .map((block) =>
      block
        .split('\n')
        .filter((line) => !line.endsWith('-- SQL Server'))
        .map((line) => line.replace(/^(\s*)-- (.*) -- SQLite$/, '$1$2'))
        .filter((line) => !line.startsWith('--'))
        .join('\n')
        // Where JobSharp shows SQL Server's words only.
        .replace('GETUTCDATE()', `datetime('now')`)
        .replace(/DATEDIFF\(second, (\w+), (\w+)\)/, `strftime('%s', $2) - strftime('%s', $1)`),
    )
    .filter((query) => query.trim() !== '');
}
