/** What a person decided on the rows of a plan: held rows that may go, planned rows that stay. */

type Action = "add" | "update";

export interface Decisions {
  readonly release: ReadonlySet<number>;
  /** What sending would have done with each row that stays. */
  readonly hold: ReadonlyMap<number, Action>;
}

/** A row that a plan would send. */
export interface HeldBackRow {
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

/** Of a box that stands for several rows. */
export interface TickState {
  readonly isTicked: boolean;
  /** Whether only some of its rows are ticked. */
  readonly isMixed: boolean;
}

/** Whether every one of some planned rows goes, or only some of them. */
export const tickOfGoing = ({ hold }: Decisions, rows: readonly number[]): TickState => {
  const held = rows.filter((row) => hold.has(row)).length;
  return { isTicked: held === 0, isMixed: held > 0 && held < rows.length };
};

export interface SendCounts {
  /** Rows that go: adds, updates, released rows, and those of which only the stock does. */
  readonly rows: number;
  /** Planned adds that go. */
  readonly adds: number;
  /** Planned updates that go. */
  readonly updates: number;
  readonly released: number;
  /** Held rows of which only the stock goes. */
  readonly stock: number;
  readonly heldBack: number;
}

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

/** As text, for the storage of the tab. */
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
