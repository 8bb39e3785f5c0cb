import { type BenchResults, medianOf } from '../run/results.js';
import { formatFigure, formatRatio } from './format.js';
import { OURS } from './scenario-table.js';

/** What Monque is to reach, and what it reached. */
export interface Target {
  readonly title: string;
  readonly wanted: string;
  readonly found: string;
  readonly met: boolean;
}

/** Looks figures up: a scenario, a system, and a metric other than the first. */
type Look = (scenario: string, contender?: string, metric?: string) => number | undefined;

interface Rule {
  readonly title: string;
  readonly wanted: string;
  readonly format: (value: number) => string;
  readonly value: (look: Look) => number | undefined;
  readonly meets: (value: number) => boolean;
}

/** For Monque on MongoDB. */
const MONGODB_RULES: readonly Rule[] = [
  atLeast('throughput to Agenda', 20, (look) => ratio(look('throughput'), look('throughput', 'agenda'))),
  atLeast('throughput to BullMQ (the aim)', 1, (look) =>
    ratio(look('throughput'), look('throughput', 'bullmq')),
  ),
  atLeast('two processes to one', 0.6, (look) => ratio(look('two-processes'), look('throughput'))),
  atMost('lost claims of two processes, %', 20, (look) => look('two-processes', OURS, 'lostClaims')),
  atLeast('enqueue 50 in flight to Agenda', 5, (look) => ratio(look('enqueue'), look('enqueue', 'agenda'))),
  atLeast("enqueueMany to BullMQ's addBulk", 1, (look) =>
    ratio(look('enqueue', OURS, 'bulk'), look('enqueue', 'bullmq', 'bulk')),
  ),
  atMost(
    'latency to Agenda, median',
    0.8,
    (look) => ratio(look('latency'), look('latency', 'agenda')),
    formatRatio,
  ),
  atMost(
    'latency to Agenda, 99th percentile',
    0.8,
    (look) => ratio(look('latency', OURS, 'p99'), look('latency', 'agenda', 'p99')),
    formatRatio,
  ),
  ...['finished', 'future', 'many-names'].map((id) =>
    atLeast(`${id} to plain throughput`, 0.85, (look) => ratio(look(id), look('throughput'))),
  ),
  atLeast('sustained, last tenth to first', 0.8, (look) => look('sustained')),
  atMost('idle, commands per second', 2, (look) => look('idle')),
  atMost('idle, CPU %', 1, (look) => look('idle', OURS, 'cpu')),
  atMost(
    'memory at the end of a long run to a fifth of it',
    1.15,
    (look) => ratio(look('sustained', OURS, 'rssAtEnd'), look('sustained', OURS, 'rssAtFifth')),
    formatRatio,
  ),
];

/** For Monque on the other databases. */
const SQL_RULES: readonly Rule[] = [
  atLeast('SQLite: throughput to BullMQ', 2, (look) =>
    ratio(look('throughput', 'monque-sqlite'), look('throughput', 'bullmq')),
  ),
  atLeast('PostgreSQL: throughput to graphile-worker', 1, (look) =>
    ratio(look('throughput', 'monque-postgres'), look('throughput', 'graphile-worker')),
  ),
  atMost(
    'PostgreSQL: latency to graphile-worker, median',
    1,
    (look) => ratio(look('latency', 'monque-postgres'), look('latency', 'graphile-worker')),
    formatRatio,
  ),
  atLeast('MariaDB: throughput to Agenda', 10, (look) =>
    ratio(look('throughput', 'monque-mariadb'), look('throughput', 'agenda')),
  ),
  atLeast('SQLite: finished to plain throughput', 0.9, (look) =>
    ratio(look('finished', 'monque-sqlite'), look('throughput', 'monque-sqlite')),
  ),
  atLeast('PostgreSQL: finished to plain throughput', 0.7, (look) =>
    ratio(look('finished', 'monque-postgres'), look('throughput', 'monque-postgres')),
  ),
];

/** Those targets for which there are figures; none for a trial, whose figures mean nothing. */
export function judgeTargets(results: BenchResults): Target[] {
  if (results.kind === 'trial') return [];
  const look: Look = (scenario, contender = OURS, metric) => medianOf(results, scenario, contender, metric);
  return [...MONGODB_RULES, ...SQL_RULES].flatMap(({ title, wanted, format, value, meets }) => {
    const found = value(look);
    return found === undefined ? [] : [{ title, wanted, found: format(found), met: meets(found) }];
  });
}

function atLeast(title: string, limit: number, value: Rule['value']): Rule {
  const wanted = `at least ${formatRatio(limit)}`;
  return { title, wanted, format: formatRatio, value, meets: (found) => found >= limit };
}

function atMost(title: string, limit: number, value: Rule['value'], format = formatFigure): Rule {
  return { title, wanted: `at most ${format(limit)}`, format, value, meets: (found) => found <= limit };
}

function ratio(one: number | undefined, other: number | undefined): number | undefined {
  return one === undefined || other === undefined || other === 0 ? undefined : one / other;
}
