/** What may become of a run: its rows are archived, or deleted at once, or it is left alone. */

import type { StateCount } from "@catalog/runs";

import { createJournal, type JournalOptions } from "../journal/journal.ts";
import { createVerificationLog } from "../repositories/verification-log.ts";
import { isOver } from "./is-over.ts";
import { isUnsent } from "./is-unsent.ts";
import type { Candidate } from "./run-candidates.ts";
import type { RunTotals } from "./run-stages.ts";
import type { SupersededHolds } from "./superseded-holds.ts";

/** A run whose rows may be archived or deleted. */
export interface JudgedRun extends RunTotals {
  /** Whether its rows are deleted; else they are archived first. */
  readonly isPruned: boolean;
}

export interface JudgeOptions {
  /** Age of the run, in milliseconds. */
  readonly ageMs: number;
  /** How long rows are kept, in milliseconds. */
  readonly keepMs: number;
  /** Judges the run as it will be without rows that a newer sync has replaced. @default false */
  readonly isWithoutHolds?: boolean;
}

export interface RunJudge {
  /** Judges a run of at least a day; `undefined` for one that is left alone. */
  readonly judge: (run: Candidate, options: JudgeOptions) => Promise<JudgedRun | undefined>;
  /** Whether rows of the run wait for a person, other than those that a newer sync has replaced. */
  readonly waits: (run: Candidate) => Promise<boolean>;
}

export function createRunJudge(options: JournalOptions, holds: SupersededHolds): RunJudge {
  const { database } = options;
  const journal = createJournal(options);
  const log = createVerificationLog(options);
  return {
    async judge(run, { ageMs, keepMs, isWithoutHolds = false }) {
      const counted = await journal.countRows(run.id);
      const states = isWithoutHolds
        ? withoutHolds(counted, await database.execute(holds.count(run)))
        : counted;
      const isDeletable = !isPlanned(run, states) || ageMs >= keepMs;
      const unsent = isDeletable && (await database.execute(isUnsent(database, run, ageMs)));
      if (!unsent && !(await database.execute(isOver(database, { run, states })))) return undefined;
      const verified = await log.countVerifications(run.id);
      return { states, verified, isPruned: unsent || ageMs >= keepMs };
    },
    async waits(run) {
      if (run.state !== "finished") return false;
      const held = await database.execute(holds.count(run));
      const states = withoutHolds(await journal.countRows(run.id), held);
      return states.some(({ state, rows }) => state === "held" && rows > 0);
    },
  };
}

/** A plan that was made can be read and applied; one that was refused or cut off cannot. */
const isPlanned = ({ state }: Candidate, states: readonly StateCount[]): boolean =>
  state !== "planning" && states.some(({ rows }) => rows > 0);

function withoutHolds(states: readonly StateCount[], holds: number): readonly StateCount[] {
  if (holds === 0) return states;
  return states.map((count) =>
    count.state === "held" ? { ...count, rows: count.rows - holds } : count,
  );
}
