/**
 * The states of a row, the moves between them and the causes of moves. These tables are their only
 * source: the engine asks them, and the database refuses every move that is not in them.
 */

import type { ActionName } from "../ports/action.ts";

/**
 * - `parsed`: read from the sheet, raw cells kept.
 * - `invalid`, `duplicate`, `skipped`, `unchanged`: final; nothing is sent for the row.
 * - `held`: waits for a person.
 * - `ready`: the request body is fixed.
 * - `sending`: written before the request leaves; found at a start, the outcome is unknown.
 * - `ambiguous`: a request may have been carried out, and no trusted answer says so.
 * - `done`, `rejected`, `cancelled`: final.
 */
const ROW_STATES = [
  "parsed",
  "invalid",
  "duplicate",
  "skipped",
  "unchanged",
  "held",
  "ready",
  "sending",
  "ambiguous",
  "done",
  "rejected",
  "cancelled",
] as const;

/** State of a row between the sheet and the report; one of those in {@link STATE_TABLE}. */
export type RowState = (typeof ROW_STATES)[number];

/** The states that may follow each state. */
const NEXT_STATES: Readonly<Record<RowState, readonly RowState[]>> = {
  parsed: ["invalid", "duplicate", "skipped", "unchanged", "held", "ready"],
  // To `unchanged` when the field that could not be compared proves to have the wanted value.
  // To `held` again when the reasons are found anew.
  held: ["ready", "done", "cancelled", "unchanged", "held"],
  // To `held` when another run has taken the code, or a recheck or a guard holds the row.
  ready: ["sending", "held"],
  // Back to `ready` only when no byte of the request left, or the marketplace refused to run it.
  // To `held` when the stock was sent and the price waits.
  sending: ["done", "rejected", "ready", "ambiguous", "held"],
  // To `rejected` when the marketplace had refused it and a lookup has found no product.
  ambiguous: ["done", "rejected", "ready", "held"],
  invalid: [],
  duplicate: [],
  skipped: [],
  unchanged: [],
  done: [],
  rejected: [],
  cancelled: [],
};

/** Every legal move, as pairs. */
const LEGAL_MOVES: readonly (readonly [from: RowState, to: RowState])[] = ROW_STATES.flatMap(
  (from) => NEXT_STATES[from].map((to) => [from, to] as const),
);

/**
 * Moves that allow a row to be sent again, or its code to be used again, with the only causes
 * for them. A move that is not listed here needs no particular cause.
 */
const GUARDED_MOVES: readonly (readonly [
  from: RowState,
  to: RowState,
  causes: readonly Cause[],
])[] = [
  // No byte has left, or the marketplace refused the call before carrying it out.
  ["sending", "ready", ["unsent", "recovery-unsent", "status-401", "status-403", "status-429"]],
  [
    "ambiguous",
    "ready",
    ["refused-and-absent", "not-found-resend", "read-back-differs", "read-back-missing"],
  ],
  ["ambiguous", "rejected", ["refused-and-absent"]],
  ["sending", "held", ["stock-sent"]],
];

/** The states of rows and the moves between them. */
export const STATE_TABLE: {
  /** In the order in which a row may take them. */
  readonly all: typeof ROW_STATES;
  /** The states that may follow each state. */
  readonly next: typeof NEXT_STATES;
  /** The states that a row never leaves. */
  readonly final: readonly RowState[];
  /** Every legal move, as pairs. */
  readonly moves: typeof LEGAL_MOVES;
  /** Says whether a row may go from one state to the other. */
  readonly isLegal: (from: RowState, to: RowState) => boolean;
  /** Moves that have only certain causes, each with them. */
  readonly guarded: typeof GUARDED_MOVES;
  /** States of an add that keep its product code taken in the store, over all runs. */
  readonly takingCode: readonly RowState[];
} = {
  all: ROW_STATES,
  next: NEXT_STATES,
  final: ROW_STATES.filter((state) => NEXT_STATES[state].length === 0),
  moves: LEGAL_MOVES,
  isLegal: (from, to) => NEXT_STATES[from].includes(to),
  guarded: GUARDED_MOVES,
  takingCode: ["sending", "ambiguous", "held", "done"],
};

/** Causes that come from the answer to a request; the number is the HTTP status. */
export type AnswerCause =
  | "answer"
  | "answer-status-false"
  | "answer-without-id"
  | "unsent"
  | "lost"
  | `status-${number}`;

/** Every cause except those that contain a status or another cause. */
export type NamedCause =
  | Exclude<AnswerCause, `status-${number}`>
  | "status-401"
  | "status-403"
  | "status-429"
  // Planning and starting to send.
  | "plan"
  | "begin"
  // Recovery after a crash, or after the spellings of an address were joined.
  | "recovery"
  | "recovery-unsent"
  | "late-answer"
  | "address-joined"
  // Looking up an add whose outcome is unknown, and reading back an update.
  | "look"
  | "lookup"
  | "lookup-several"
  | "lookup-different"
  | "lookup-similar"
  | "not-found"
  | "not-found-resend"
  | "refused-and-absent"
  | "read-back"
  | "read-back-differs"
  | "read-back-missing"
  // Holding a planned row.
  | "alike"
  | "appeared"
  | "changed"
  | "code-taken"
  | "guard"
  | "refused-often"
  | "set-aside"
  | "stock-sent"
  | "unseen"
  // Deciding on a held row.
  | "price-unit"
  | "stock-first"
  | "released-as-done"
  | "released-resend"
  | "released-approve"
  | "released-cancel"
  | "sent-by-sync"
  | "superseded"
  | "superseded-hold";

/**
 * The rule that moved a row, or that looked it up. `untrusted-…` is an answer that a lookup must
 * verify.
 */
export type Cause = NamedCause | AnswerCause | `untrusted-${AnswerCause}`;

/** The rows of a run by outcome; the classes add up to `rows`. */
export interface Counts {
  readonly rows: number;
  readonly added: number;
  readonly updated: number;
  readonly unchanged: number;
  readonly skipped: number;
  readonly invalid: number;
  readonly duplicate: number;
  readonly rejected: number;
  readonly held: number;
  /** Sent, and without a trusted answer yet. */
  readonly unknown: number;
  readonly cancelled: number;
  /** Not sent yet. */
  readonly pending: number;
}

/** A class of a report. */
export type CountClass = Exclude<keyof Counts, "rows">;

/** What a row's request does to a product. */
export type ProductAction = "add" | "update";

/** What a row's request does to the store. */
export type WriteAction = ProductAction | ActionName;

/** Number of rows in one state with one action; everything but an add counts as an update. */
export interface StateCount {
  readonly state: RowState;
  readonly action: ProductAction | null;
  readonly rows: number;
}

const CLASS_OF: Readonly<Record<Exclude<RowState, "done">, CountClass>> = {
  parsed: "pending",
  ready: "pending",
  sending: "unknown",
  ambiguous: "unknown",
  invalid: "invalid",
  duplicate: "duplicate",
  skipped: "skipped",
  unchanged: "unchanged",
  held: "held",
  rejected: "rejected",
  cancelled: "cancelled",
};

/** What a row counts as: everything but an add counts as an update. */
export const toCountedAction = (action: WriteAction | null): ProductAction | null =>
  action === null || action === "add" ? action : "update";

/** Returns the class that a row is reported in. */
export function toCountClass(state: RowState, action: WriteAction | null): CountClass {
  if (state !== "done") return CLASS_OF[state];
  return toCountedAction(action) === "update" ? "updated" : "added";
}

const NOTHING: Counts = {
  rows: 0,
  added: 0,
  updated: 0,
  unchanged: 0,
  skipped: 0,
  invalid: 0,
  duplicate: 0,
  rejected: 0,
  held: 0,
  unknown: 0,
  cancelled: 0,
  pending: 0,
};

/** Sums counts by state into the classes of a report. */
export function toCounts(states: readonly StateCount[]): Counts {
  const counts: Record<keyof Counts, number> = { ...NOTHING };
  for (const { state, action, rows } of states) {
    counts.rows += rows;
    counts[toCountClass(state, action)] += rows;
  }
  return counts;
}
