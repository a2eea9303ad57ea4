/** What a person decided on the rows of a plan: held rows that may go, planned rows that stay. */

export interface Decisions {
  readonly release: ReadonlySet<number>;
  readonly hold: ReadonlySet<number>;
}

export const NO_DECISIONS: Decisions = { release: new Set(), hold: new Set() };

const withRows = (
  set: ReadonlySet<number>,
  rows: readonly number[],
  isIn: boolean,
): ReadonlySet<number> => {
  const next = new Set(set);
  for (const row of rows) {
    if (isIn) next.add(row);
    else next.delete(row);
  }
  return next;
};

/** Held rows go, or go no more. */
export const releaseRows = (
  decisions: Decisions,
  rows: readonly number[],
  isReleased: boolean,
): Decisions => ({ ...decisions, release: withRows(decisions.release, rows, isReleased) });

/** Planned rows stay, or stay no more. */
export const holdRows = (
  decisions: Decisions,
  rows: readonly number[],
  isHeld: boolean,
): Decisions => ({ ...decisions, hold: withRows(decisions.hold, rows, isHeld) });

export interface SendCounts {
  /** Rows that go, those released among them. */
  readonly rows: number;
  readonly released: number;
  readonly heldBack: number;
}

/** How many rows a plan sends after the decisions. */
export const countRows = (
  plan: { readonly adds: number; readonly updates: number },
  decisions: Decisions,
): SendCounts => ({
  rows: plan.adds + plan.updates - decisions.hold.size + decisions.release.size,
  released: decisions.release.size,
  heldBack: decisions.hold.size,
});

/** As text, for the storage of the tab. */
export const formatDecisions = ({ release, hold }: Decisions): string =>
  JSON.stringify({ release: [...release], hold: [...hold] });

const isNumbers = (value: unknown): value is readonly number[] =>
  Array.isArray(value) && value.every((item) => typeof item === "number");

/** Reads {@link formatDecisions} back; anything else is no decision. */
export const parseDecisions = (text: string | null): Decisions => {
  if (text === null) return NO_DECISIONS;
  const value: unknown = JSON.parse(text);
  if (typeof value !== "object" || value === null) return NO_DECISIONS;
  if (!("release" in value) || !("hold" in value)) return NO_DECISIONS;
  if (!isNumbers(value.release) || !isNumbers(value.hold)) return NO_DECISIONS;
  return { release: new Set(value.release), hold: new Set(value.hold) };
};
