import type { Spread } from '../measure/statistics.js';
import type { BenchResults } from '../run/results.js';
import { PLAIN } from '../scenarios/scenario.js';
import { formatFigure, formatRatio, formatSpread } from './format.js';
import { type Figure, spreadOfFigure, spreadOfRatio } from './ratios.js';
import { OURS } from './scenario-table.js';

/** What Monque is to reach, and what it reached. */
export interface Target {
  readonly title: string;
  readonly wanted: string;
  readonly found: string;
  readonly met: boolean;
}

/** What is held against the limit: over all rounds, or undefined where there is no figure. */
type Measure = (results: BenchResults) => Spread | undefined;

interface Rule {
  readonly title: string;
  readonly wanted: string;
  readonly format: (value: number) => string;
  readonly measure: Measure;
  readonly meets: (median: number) => boolean;
}

/** For Monque on MongoDB. */
const MONGODB_RULES: readonly Rule[] = [
  atLeast('MongoDB: throughput to Agenda', 20, ratio(figure('throughput'), figure('throughput', 'agenda'))),
  atLeast(
    'MongoDB: throughput to BullMQ (the aim)',
    1,
    ratio(figure('throughput'), figure('throughput', 'bullmq')),
  ),
  atLeast('MongoDB: two processes to one', 0.6, ratio(figure('two-processes'), figure('throughput'))),
  atMost('MongoDB: lost claims of two processes, %', 20, value(figure('two-processes', OURS, 'lostClaims'))),
  atLeast(
    'MongoDB: enqueue 50 in flight to Agenda',
    5,
    ratio(figure('enqueue'), figure('enqueue', 'agenda')),
  ),
  atLeast(
    "MongoDB: enqueueMany to BullMQ's addBulk",
    1,
    ratio(figure('enqueue', OURS, 'bulk'), figure('enqueue', 'bullmq', 'bulk')),
  ),
  atMost(
    'MongoDB: latency to Agenda, median',
    0.8,
    ratio(figure('latency'), figure('latency', 'agenda')),
    formatRatio,
  ),
  atMost(
    'MongoDB: latency to Agenda, 99th percentile',
    0.8,
    ratio(figure('latency', OURS, 'p99'), figure('latency', 'agenda', 'p99')),
    formatRatio,
  ),
  ...['finished', 'future', 'many-names'].map((id) =>
    atLeast(`MongoDB: ${id} to plain throughput`, 0.85, toPlain(id)),
  ),
  atLeast('MongoDB: sustained, last tenth to first', 0.8, value(figure('sustained'))),
  atMost('MongoDB: idle, commands per second', 2, value(figure('idle'))),
  atMost('MongoDB: idle, CPU %', 1, value(figure('idle', OURS, 'cpu'))),
  atMost(
    'MongoDB: memory at the end of a long run to a fifth of it',
    1.15,
    ratio(figure('sustained', OURS, 'rssAtEnd'), figure('sustained', OURS, 'rssAtFifth')),
    formatRatio,
  ),
];

/** For Monque on the other databases. */
const SQL_RULES: readonly Rule[] = [
  atLeast(
    'SQLite: throughput to BullMQ',
    2,
    ratio(figure('throughput', 'monque-sqlite'), figure('throughput', 'bullmq')),
  ),
  atLeast(
    'PostgreSQL: throughput to graphile-worker',
    1,
    ratio(figure('throughput', 'monque-postgres'), figure('throughput', 'graphile-worker')),
  ),
  atMost(
    'PostgreSQL: latency to graphile-worker, median',
    1,
    ratio(figure('latency', 'monque-postgres'), figure('latency', 'graphile-worker')),
    formatRatio,
  ),
  atLeast(
    'MariaDB: throughput to Agenda',
    10,
    ratio(figure('throughput', 'monque-mariadb'), figure('throughput', 'agenda')),
  ),
  atLeast('SQLite: finished to plain throughput', 0.9, toPlain('finished', 'monque-sqlite')),
  atLeast('PostgreSQL: finished to plain throughput', 0.7, toPlain('finished', 'monque-postgres')),
];

/** Those targets for which there are figures; none for a trial, whose figures mean nothing. */
export function judgeTargets(results: BenchResults): Target[] {
  if (results.kind === 'trial') return [];
  return [...MONGODB_RULES, ...SQL_RULES].flatMap(({ title, wanted, format, measure, meets }) => {
    const found = measure(results);
    if (found === undefined) return [];
    return [{ title, wanted, found: formatSpread(found, format), met: meets(found.median) }];
  });
}

function atLeast(title: string, limit: number, measure: Measure): Rule {
  const wanted = `at least ${formatRatio(limit)}`;
  return { title, wanted, format: formatRatio, measure, meets: (found) => found >= limit };
}

function atMost(title: string, limit: number, measure: Measure, format = formatFigure): Rule {
  return { title, wanted: `at most ${format(limit)}`, format, measure, meets: (found) => found <= limit };
}

function figure(scenario: string, contender = OURS, metric?: string): Figure {
  return { scenario, contender, ...(metric === undefined ? {} : { metric }) };
}

function value(one: Figure): Measure {
  return (results) => spreadOfFigure(results, one);
}

function ratio(one: Figure, other: Figure): Measure {
  return (results) => spreadOfRatio(results, one, other);
}

/** A harder form of a scenario to the plain one that was measured beside it. */
function toPlain(scenario: string, contender = OURS): Measure {
  return ratio(figure(scenario, contender), figure(scenario, contender, PLAIN.id));
}
