/**
 * What the screens of a run tell of it, and what a person decided on the rows of its plan:
 * held rows that may go, planned rows that stay.
 */

import { useCallback, useState } from "react";

import type { DraftView, RunCounts, RunRowView, RunView, UndoneView } from "../../src/api/index.ts";
import type { Numbers, TickState } from "../grid/ticks.ts";
import type { Texts } from "../texts/texts.ts";
import type { Format } from "./format.ts";

type Action = "add" | "update";

export interface Decisions {
  readonly release: ReadonlySet<number>;
  /** What sending would have done with each row that stays. */
  readonly hold: ReadonlyMap<number, Action>;
}

/** A row that a plan would send. */
interface HeldBackRow {
  readonly row: number;
  readonly action: Action | null;
}

export const NO_DECISIONS: Decisions = { release: new Set(), hold: new Map() };

/** Held rows go, or go no more. */
export const releaseRows = (
  decisions: Decisions,
  rows: readonly number[],
  isReleased: boolean,
): Decisions => {
  const chosen = new Set(rows);
  const others = [...decisions.release].filter((row) => !chosen.has(row));
  return { ...decisions, release: new Set(isReleased ? [...others, ...rows] : others) };
};

/** Planned rows stay, or stay no more. */
export const holdRows = (
  decisions: Decisions,
  rows: readonly HeldBackRow[],
  isHeld: boolean,
): Decisions => {
  const hold = new Map(decisions.hold);
  for (const { row, action } of rows) {
    if (isHeld && action !== null) hold.set(row, action);
    else hold.delete(row);
  }
  return { ...decisions, hold };
};

/** Only some of the planned rows go, and no held one does. */
export const sendOnly = (
  rows: Iterable<number>,
  planned: Readonly<Record<"adds" | "updates", Iterable<number>>>,
): Decisions => {
  const chosen = new Set(rows);
  const stay = (all: Iterable<number>, action: Action) =>
    [...all].filter((row) => !chosen.has(row)).map((row) => [row, action] as const);
  const hold = new Map([...stay(planned.adds, "add"), ...stay(planned.updates, "update")]);
  return { release: new Set(), hold };
};

/** Whether every one of some planned rows goes, or only some of them. */
export const tickOfGoing = ({ hold }: Decisions, rows: Numbers): TickState => {
  const held = hold.size === 0 ? 0 : [...rows].filter((row) => hold.has(row)).length;
  return { isTicked: held === 0, isMixed: held > 0 && held < rows.length };
};

interface SendCounts {
  /** Rows that go: adds, updates, released rows, and those of which only the stock does. */
  readonly rows: number;
  readonly adds: number;
  readonly updates: number;
  readonly released: number;
  /** Held rows of which only the stock goes. */
  readonly stock: number;
  readonly heldBack: number;
}

/** Of how many held rows only the stock goes; of these rows with a stock, released ones go as a whole. */
export const countStock = (stockRows: Iterable<number>, { release }: Decisions): number =>
  [...stockRows].filter((row) => !release.has(row)).length;

/** How many rows a plan sends after the decisions. */
export const countRows = (
  plan: Readonly<Record<"adds" | "updates" | "held" | "stock", number>>,
  decisions: Decisions,
): SendCounts => {
  const held = [...decisions.hold.values()];
  const adds = plan.adds - held.filter((action) => action === "add").length;
  const updates = plan.updates - held.filter((action) => action === "update").length;
  const released = decisions.release.size;
  // Released rows go as a whole.
  const stock = Math.max(0, Math.min(plan.stock, plan.held - released));
  const rows = adds + updates + released + stock;
  return { rows, adds, updates, released, stock, heldBack: held.length };
};

export const formatDecisions = ({ release, hold }: Decisions): string =>
  JSON.stringify({ release: [...release], hold: [...hold] });

const isNumbers = (value: unknown): value is readonly number[] =>
  Array.isArray(value) && value.every((item) => typeof item === "number");

const isHold = (value: unknown): value is readonly (readonly [number, Action])[] =>
  Array.isArray(value) &&
  value.every(
    (item) =>
      Array.isArray(item) &&
      typeof item[0] === "number" &&
      (item[1] === "add" || item[1] === "update"),
  );

/** Reads {@link formatDecisions} back; anything else is no decision. */
export const parseDecisions = (text: string | null): Decisions => {
  if (text === null) return NO_DECISIONS;
  const value: unknown = JSON.parse(text);
  if (typeof value !== "object" || value === null) return NO_DECISIONS;
  if (!("release" in value) || !("hold" in value)) return NO_DECISIONS;
  if (!isNumbers(value.release) || !isHold(value.hold)) return NO_DECISIONS;
  return { release: new Set(value.release), hold: new Map(value.hold) };
};

/** Changes what is decided now, which another tick may have changed while rows were read. */
export type ChangeDecisions = (decide: (decisions: Decisions) => Decisions) => void;

/** Decisions on the plan that is shown; they outlast a reload, and end with the plan. */
export const useDecisions = (planHash: string): readonly [Decisions, ChangeDecisions] => {
  const key = `catalog-decisions:${planHash}`;
  const [kept, setKept] = useState({ key, decisions: parseDecisions(sessionStorage.getItem(key)) });
  const decisions = kept.key === key ? kept.decisions : parseDecisions(sessionStorage.getItem(key));
  const change: ChangeDecisions = useCallback(
    (decide) => {
      const next = decide(parseDecisions(sessionStorage.getItem(key)));
      sessionStorage.setItem(key, formatDecisions(next));
      setKept({ key, decisions: next });
    },
    [key],
  );
  return [decisions, change];
};

const CODE = "E_GUARD_PRICE_UNIT";

/** Whether the row waits for the unit; it cannot be sent before, as its price may be 100 times off. */
export const isUncompared = ({ issues }: Pick<RunRowView, "issues">): boolean =>
  issues.some(({ code }) => code === CODE);

/** How many rows of a run wait for the unit; their reasons may differ in their texts. */
export const countUncompared = ({ reasons }: Pick<RunView, "reasons">): number =>
  reasons.filter(({ code }) => code === CODE).reduce((sum, { rows }) => sum + rows, 0);

interface SentCount {
  /** Rows that have come to their result. */
  readonly done: number;
  /** Rows that were sent or wait to be; a plan does not know what a person has decided since. */
  readonly total: number;
}

/** How many of the rows that sending is about have come to their result. */
export const countSent = ({ added, updated, rejected, waiting }: RunCounts): SentCount => {
  const done = added + updated + rejected;
  return { done, total: done + waiting };
};

/** How a sending has ended; one whose rest was given up is not complete. */
export const describeEnd = (
  counts: RunCounts,
  words: Pick<Texts["send"], "finished" | "givenUp">,
  format: Pick<Format, "number">,
): string => {
  const { done, total } = countSent(counts);
  const all = total + counts.restCancelled;
  return counts.restCancelled === 0
    ? words.finished
    : words.givenUp(format.number(done), format.number(all));
};

type Planned = Pick<RunView, "id" | "state" | "draft"> & {
  readonly problem: Pick<NonNullable<RunView["problem"]>, "code"> | null;
};

const OUTDATED: ReadonlySet<string> = new Set(["E_PLAN_DRAFT", "E_PLAN_SETTINGS"]);

/** Whether a plan that was not sent yet is out of date, by the newest that is known of its draft. */
export function isOutdated(run: Planned, draft: Pick<DraftView, "run"> | undefined): boolean {
  if (run.state !== "planned" || run.draft === null) return false;
  if (draft?.run?.id === run.id) return !draft.run.isCurrent;
  return OUTDATED.has(run.problem?.code ?? "");
}

/** Whether the draft of a run that was sent was changed afterwards, and nothing planned since. */
export const isChangedSince = (
  run: Pick<RunView, "id" | "state">,
  draft: Pick<DraftView, "run"> | undefined,
): boolean => run.state === "finished" && draft?.run?.id === run.id && !draft.run.isCurrent;

interface UndoneWords {
  readonly undone: string;
  readonly undonePartly: (restored: number, sent: number) => string;
}

export const describeUndone = (
  { restored, sent, isPartial }: UndoneView,
  words: UndoneWords,
): string => (isPartial ? words.undonePartly(restored, sent) : words.undone);
