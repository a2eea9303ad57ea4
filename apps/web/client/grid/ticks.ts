/** Which rows of a list are ticked: their numbers, whatever order and filter show them. */

import { useMemo, useState } from "react";

export type Ticked = ReadonlySet<number>;

/** Numbers in an order, or some of them. */
export type Numbers = readonly number[] | Uint32Array;

/** How the box stands that means all listed rows. */
export interface TickState {
  readonly isTicked: boolean;
  /** Whether some are ticked, and some are not. */
  readonly isMixed: boolean;
}

export const tickRows = (ticked: Ticked, rows: Numbers, isTicked: boolean): Ticked => {
  const changed = new Set(ticked);
  for (const row of rows) {
    if (isTicked) changed.add(row);
    else changed.delete(row);
  }
  return changed;
};

/** Number of the listed rows that are ticked. */
export const countTicked = (ticked: Ticked, order: Numbers): number => {
  if (ticked.size === 0) return 0;
  let count = 0;
  for (const row of order) if (ticked.has(row)) count += 1;
  return count;
};

export const tickState = (ticked: Ticked, order: Numbers): TickState => {
  const count = countTicked(ticked, order);
  const isTicked = count > 0 && count === order.length;
  return { isTicked, isMixed: count > 0 && !isTicked };
};

/** The rows from one position of an order to another, in either direction. */
export const rowsBetween = (order: Uint32Array, one: number, other: number): readonly number[] => [
  ...order.subarray(Math.max(0, Math.min(one, other)), Math.max(one, other) + 1),
];

/** What a table of {@link ListGrid} needs for its boxes. */
export interface ListTicks<Row> {
  readonly has: (row: number) => boolean;
  readonly all: TickState;
  /** Several rows at once where the Shift key was held. */
  readonly onTick: (rows: readonly number[], isTicked: boolean) => void;
  /** All rows that are listed. */
  readonly onTickAll: (isTicked: boolean) => void;
  /** What the box of a row is called. */
  readonly label: (row: Row) => string;
  readonly allLabel: string;
  /** A row without a box that can be ticked. @default every row can be */
  readonly canTick?: ((row: Row) => boolean) | undefined;
}

interface TickedRows {
  readonly ticked: Ticked;
  readonly clear: () => void;
  readonly ticks: Pick<ListTicks<never>, "has" | "all" | "onTick" | "onTickAll">;
}

const NONE: Ticked = new Set();

/** Rows that a person has ticked; those that another filter hides stay ticked. */
export const useTicked = (order: Uint32Array | undefined): TickedRows => {
  const [ticked, setTicked] = useState(NONE);
  return useMemo(() => {
    const listed = order ?? new Uint32Array(0);
    return {
      ticked,
      clear: () => setTicked(NONE),
      ticks: {
        has: (row) => ticked.has(row),
        all: tickState(ticked, listed),
        onTick: (rows, isTicked) => setTicked((now) => tickRows(now, rows, isTicked)),
        onTickAll: (isTicked) => setTicked((now) => tickRows(now, listed, isTicked)),
      },
    };
  }, [ticked, order]);
};
