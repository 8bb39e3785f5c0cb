import type { ContenderProfile } from '../contenders/contender.js';
import { spreadOf } from '../measure/statistics.js';
import { OURS } from '../report/scenario-table.js';
import { type Figures, PLAIN, type Scenario } from '../scenarios/scenario.js';
import type { BenchServer } from '../servers/bench-server.js';
import { Lab, type LabOptions } from './lab.js';
import type { Progress } from './progress.js';
import type { ContenderResult, ScenarioResult } from './results.js';

/** A system whose server answers. */
export interface Entrant {
  readonly profile: ContenderProfile;
  readonly server: BenchServer;
}

export interface RunOptions extends LabOptions {
  /** Of this run; prefixes all that it makes on the servers. */
  readonly name: string;
  /** In place of the scenario's own number of rounds. */
  readonly rounds: number | undefined;
  /** Leaves other systems out of the scenarios that take minutes. */
  readonly shortcut: boolean;
  /** Time by which no further measurement begins, by `performance.now()`. */
  readonly deadline: number;
}

/** What one system has come to so far. */
interface Tries {
  readonly rounds: Figures[];
  failure?: string;
}

let measurements = 0;

/** One scenario over all its rounds. */
export class ScenarioRun {
  readonly rounds: number;
  /** Whether some of it was not measured because the time was up. */
  timeWasUp = false;
  readonly #scenario: Scenario;
  readonly #entrants: readonly Entrant[];
  readonly #options: RunOptions;
  readonly #progress: Progress;
  readonly #records = new Map<string, Tries>();

  constructor(scenario: Scenario, entrants: readonly Entrant[], options: RunOptions, progress: Progress) {
    const { quick, full } = scenario.rounds;
    // A quick run has a scenario without quick rounds only where it was asked for by name.
    this.rounds = options.rounds ?? (options.quick ? Math.max(1, quick) : full);
    this.#scenario = scenario;
    this.#entrants = entrants;
    this.#options = options;
    this.#progress = progress;
  }

  /** Measures every system once. Each round begins with another one. */
  async measureRound(round: number): Promise<void> {
    const able = this.#entrants.filter(({ profile }) => this.#reasonAgainst(profile) === undefined);
    for (let turn = 0; turn < able.length; turn++) {
      const entrant = able[(turn + round) % able.length];
      if (entrant === undefined) return;
      if (performance.now() > this.#options.deadline) {
        this.timeWasUp = true;
        return;
      }
      if (this.#recordOf(entrant).failure === undefined) await this.#measure(entrant, round);
    }
  }

  get result(): ScenarioResult {
    const { id, title, explanation, metrics, plain } = this.#scenario;
    const results = this.#entrants.map((entrant) => this.#resultOf(entrant));
    return {
      id,
      title,
      explanation,
      metrics,
      ...(plain === undefined ? {} : { comparedWith: plain.id }),
      results,
    };
  }

  async #measure(entrant: Entrant, round: number): Promise<void> {
    const { title } = entrant.profile;
    const record = this.#recordOf(entrant);
    try {
      const figures = await this.#progress.step(
        `${this.#scenario.title}, round ${round + 1} of ${this.rounds}: ${title}`,
        () => this.#measureOnce(entrant, round),
      );
      record.rounds.push(figures);
      this.#progress.figures(this.#scenario, figures);
    } catch (error) {
      record.failure = (error as Error).message;
      this.#progress.failure(title, error as Error);
    }
  }

  /** Beside its plain form, every other round in the other order: what changes steadily then cancels out. */
  async #measureOnce(entrant: Entrant, round: number): Promise<Figures> {
    const { plain } = this.#scenario;
    if (plain === undefined) return this.#inLab(entrant, this.#scenario);
    const before = round % 2 === 0 ? await this.#inLab(entrant, plain) : undefined;
    const figures = await this.#inLab(entrant, this.#scenario);
    const beside = before ?? (await this.#inLab(entrant, plain));
    return { ...figures, [PLAIN.id]: beside[plain.metrics[0].id] };
  }

  async #inLab({ profile, server }: Entrant, scenario: Scenario): Promise<Figures> {
    const namespace = `${this.#options.name}_${++measurements}`;
    const lab = new Lab(profile, { uri: server.uri, namespace }, this.#options);
    try {
      return await scenario.measure(lab);
    } finally {
      await lab.close();
      await server.clear(namespace);
    }
  }

  /** Why a system is not measured, if it is not. */
  #reasonAgainst({ id, without }: ContenderProfile): string | undefined {
    const isLeftOut = this.#options.shortcut && this.#scenario.heavy === true && !id.startsWith(OURS);
    return (
      without?.[this.#scenario.id] ?? (isLeftOut ? 'left out of this run, which was a short one' : undefined)
    );
  }

  #recordOf({ profile }: Entrant): Tries {
    const known = this.#records.get(profile.id);
    if (known !== undefined) return known;
    const record: Tries = { rounds: [] };
    this.#records.set(profile.id, record);
    return record;
  }

  #resultOf(entrant: Entrant): ContenderResult {
    const { id } = entrant.profile;
    const { rounds, failure } = this.#recordOf(entrant);
    const missed = this.rounds - rounds.length;
    const remark =
      this.#reasonAgainst(entrant.profile) ??
      failure ??
      (missed > 0 ? `${missed} round(s) short, the time was up` : undefined);
    return {
      contender: id,
      rounds,
      spread: spreadsOf(rounds),
      ...(remark === undefined ? {} : { remark }),
      ...(failure === undefined ? {} : { failed: true }),
    };
  }
}

function spreadsOf(rounds: readonly Figures[]): ContenderResult['spread'] {
  const ids = new Set(rounds.flatMap((figures) => Object.keys(figures)));
  const spreads = [...ids].flatMap((id) => {
    const values = rounds.flatMap((figures) => figures[id] ?? []);
    return values.length === 0 ? [] : [[id, spreadOf(values)] as const];
  });
  return Object.fromEntries(spreads);
}
