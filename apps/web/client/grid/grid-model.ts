/** What the cells of the grid read: rows, the selected block, and how to change a cell. */

import { createContext, use, useSyncExternalStore } from "react";

import type { RowView } from "../../src/api/index.ts";
import type { ExternalValue } from "../lib/external-value.ts";
import { useExternal } from "../lib/use-external.ts";
import type { GridColumn } from "./grid-columns.ts";
import { MAX_CELLS } from "./limits.ts";
import type { RowWindow } from "./row-window.ts";
import { type Block, type Corner, isInside, toBounds } from "./selection.ts";

export interface CellEdit {
  readonly row: number;
  readonly column: number;
  readonly value: string;
}

export interface GridModel {
  readonly draft: string;
  readonly rows: RowWindow;
  readonly block: ExternalValue<Block | null>;
  readonly columns: readonly GridColumn[];
  /** Whether a key that writes has opened the editor, so that it replaces the cell. */
  readonly typed: ExternalValue<boolean>;
  /** The cell that Enter has left for the active one below it; `null` once the person has moved. */
  readonly entered: ExternalValue<Corner | null>;
  readonly edit: (edits: readonly CellEdit[]) => void;
}

/** Set by the grid. */
export const GridContext = createContext<GridModel | null>(null);

/** The grid around a cell. */
export const useGrid = (): GridModel => {
  const model = use(GridContext);
  if (model === null) throw new Error("No grid is around this component.");
  return model;
};

/** The row at a position; `undefined` until it is read. */
export const useRow = (row: number, position: number): RowView | undefined => {
  const { rows } = useGrid();
  return useSyncExternalStore(
    (listener) => rows.subscribe(listener),
    () => rows.get(row, position),
  );
};

/** Whether a cell is in a block of more than one cell. */
export const useIsInBlock = (position: number, column: number): boolean => {
  const { block } = useGrid();
  return useSyncExternalStore(block.subscribe, () => {
    const current = block.get();
    if (current === null) return false;
    const bounds = toBounds(current);
    const isOne = bounds.top === bounds.bottom && bounds.left === bounds.right;
    return !isOne && isInside(bounds, position, column);
  });
};

/** The text of a cell as it is shown; a number is in the notation of the page's language. */
export const shownText = (view: RowView, column: number): string =>
  view.numbers.find((number) => number.column === column)?.text ?? view.cells[column] ?? "";

/** The text of a cell as an editor begins with it. */
export const typedText = (view: RowView | undefined, column: number): string =>
  view?.numbers.find((number) => number.column === column)?.typed ?? view?.cells[column] ?? "";

/** Rows whose cells differ from those in memory, as they will be. */
export const applyEdits = (rows: RowWindow, edits: readonly CellEdit[]): readonly RowView[] => {
  const changed = new Map<number, RowView>();
  for (const { row, column, value } of edits) {
    const view = changed.get(row) ?? rows.peek(row);
    if (view === undefined) continue;
    const cells = Array.from({ length: Math.max(view.cells.length, column + 1) }, (_, index) =>
      index === column ? value : (view.cells[index] ?? ""),
    );
    const edited = view.edited.includes(column) ? view.edited : [...view.edited, column];
    const numbers = view.numbers.filter((number) => number.column !== column);
    changed.set(row, { ...view, cells, edited, numbers });
  }
  return [...changed.values()];
};

/** The rows of the selected block, and whether all of them are left out. */
export const useChosenRows = (
  model: GridModel,
): { readonly rows: readonly number[]; readonly isExcluded: boolean } => {
  const block = useExternal(model.block);
  const version = useSyncExternalStore(
    (listener) => model.rows.subscribe(listener),
    () => {
      const row = block === null ? undefined : model.rows.order[block.head.row];
      return row === undefined ? undefined : model.rows.peek(row);
    },
  );
  if (block === null || version === undefined) return { rows: [], isExcluded: false };
  const { top, bottom } = toBounds(block);
  const rows = [...model.rows.order.subarray(top, Math.min(bottom + 1, top + MAX_CELLS))];
  return { rows, isExcluded: rows.every((row) => model.rows.peek(row)?.isExcluded === true) };
};
