/**
 * What the cells of the grid read: rows, the selected block, and how cells are changed, copied and
 * pasted.
 */

import { createContext, use, useSyncExternalStore } from "react";

import type { RowView } from "../../src/api/index.ts";
import { type ExternalValue, useExternal } from "../lib/requests.ts";
import {
  type Block,
  type Bounds,
  type Corner,
  formatTsv,
  type GridColumn,
  isInside,
  parseTsv,
  placeTexts,
  toBounds,
} from "./blocks.ts";
import { MAX_CELLS, type RowWindow, useRowAt } from "./row-window.ts";

export interface CellEdit {
  readonly row: number;
  readonly column: number;
  readonly value: string;
}

export interface GridModel {
  readonly draft: string;
  readonly rows: RowWindow<RowView>;
  readonly block: ExternalValue<Block | null>;
  readonly columns: readonly GridColumn[];
  /** Whether its rows have images: in a column, or because they are products of the store. */
  readonly hasImages: boolean;
  /** Whether a key that writes has opened the editor, so that it replaces the cell. */
  readonly typed: ExternalValue<boolean>;
  /** The cell that Enter has left for the active one below it; `null` once the person has moved. */
  readonly entered: ExternalValue<Corner | null>;
  readonly edit: (edits: readonly CellEdit[]) => void;
}

/** Set by the grid. */
export const GridContext = createContext<GridModel | null>(null);

export const useGrid = (): GridModel => {
  const model = use(GridContext);
  if (model === null) throw new Error("No grid is around this component.");
  return model;
};

/** The row at a position; `undefined` until it is read. */
export const useRow = (row: number, position: number): RowView | undefined =>
  useRowAt(useGrid().rows, row, position);

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
export const applyEdits = (
  rows: RowWindow<RowView>,
  edits: readonly CellEdit[],
): readonly RowView[] => {
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

/** Cells as this page puts them beside the plain text, in which programs change line breaks. */
export const CELLS_TYPE = "application/x-catalog-cells+json";

const isTable = (value: unknown): value is readonly (readonly string[])[] =>
  Array.isArray(value) &&
  value.every((row) => Array.isArray(row) && row.every((cell) => typeof cell === "string"));

/** The cells that a clipboard holds; exactly those that were copied where this page copied them. */
export const readClipboard = (
  clipboard: Pick<DataTransfer, "getData">,
): readonly (readonly string[])[] => {
  const own = clipboard.getData(CELLS_TYPE);
  const table: unknown = own === "" ? undefined : JSON.parse(own);
  return isTable(table) ? table : parseTsv(clipboard.getData("text/plain"));
};

const rowsOf = ({ rows }: GridModel, { top, bottom }: Bounds): readonly number[] => [
  ...rows.order.subarray(top, bottom + 1),
];

const columnsOf = ({ columns }: GridModel, { left, right }: Bounds): readonly number[] =>
  columns.slice(Math.max(0, left - 1), right).map(({ column }) => column.index);

/** Whether a block has more cells than one change may have. */
export const isTooBig = ({ top, bottom, left, right }: Bounds): boolean =>
  (bottom - top + 1) * (right - left + 1) > MAX_CELLS;

const cellsOf = (model: GridModel, bounds: Bounds): readonly (readonly string[])[] => {
  const columns = columnsOf(model, bounds);
  return rowsOf(model, bounds).map((row) =>
    columns.map((column) => model.rows.peek(row)?.cells[column] ?? ""),
  );
};

/** The cells of a block; `null` where some of its rows are not in memory. */
export const copyBlock = (
  model: GridModel,
  bounds: Bounds,
): readonly (readonly string[])[] | null =>
  rowsOf(model, bounds).every((row) => model.rows.peek(row) !== undefined)
    ? cellsOf(model, bounds)
    : null;

export const readBlock = async (model: GridModel, bounds: Bounds): Promise<string> => {
  await model.rows.load(rowsOf(model, bounds));
  return formatTsv(cellsOf(model, bounds));
};

const toEdits = (
  model: GridModel,
  placed: readonly { readonly row: number; readonly column: number; readonly value: string }[],
): readonly CellEdit[] =>
  placed.flatMap(({ row: position, column: place, value }) => {
    const row = model.rows.order[position];
    const index = model.columns[place - 1]?.column.index;
    if (row === undefined || index === undefined) return [];
    return model.rows.peek(row)?.cells[index] === value ? [] : [{ row, column: index, value }];
  });

/** Pasted cells as changes. */
interface Pasted {
  readonly edits: readonly CellEdit[];
  /** Cells for which the view has no place, below its last row or beside its last column. */
  readonly lost: number;
}

/** The changes that pasted cells make from the upper left corner of a block. */
export const pasteCells = (
  model: GridModel,
  bounds: Bounds,
  cells: readonly (readonly string[])[],
): Pasted => {
  const size = { rows: model.rows.order.length, columns: model.columns.length + 1 };
  const placed = placeTexts(bounds, cells, size);
  const count = cells.reduce((sum, line) => sum + line.length, 0);
  return { edits: toEdits(model, placed), lost: Math.max(0, count - placed.length) };
};

/** The changes that write the cell of one row into other rows of the same column. */
export const fillFrom = (
  model: GridModel,
  { row, column }: Pick<CellEdit, "row" | "column">,
  targets: readonly number[],
): readonly CellEdit[] => {
  const value = model.rows.peek(row)?.cells[column];
  if (value === undefined) return [];
  return targets
    .filter((target) => model.rows.peek(target)?.cells[column] !== value)
    .map((target) => ({ row: target, column, value }));
};

/** The changes that fill the first row of a block down; of one row, the row above it. */
export const fillDown = (model: GridModel, bounds: Bounds): readonly CellEdit[] => {
  const isOneRow = bounds.top === bounds.bottom;
  const source = model.rows.order[isOneRow ? bounds.top - 1 : bounds.top];
  const view = source === undefined ? undefined : model.rows.peek(source);
  if (view === undefined) return [];
  const placed: { row: number; column: number; value: string }[] = [];
  for (let row = isOneRow ? bounds.top : bounds.top + 1; row <= bounds.bottom; row += 1) {
    for (let column = bounds.left; column <= bounds.right; column += 1) {
      const index = model.columns[column - 1]?.column.index;
      if (index !== undefined) placed.push({ row, column, value: view.cells[index] ?? "" });
    }
  }
  return toEdits(model, placed);
};

export const clearBlock = (model: GridModel, bounds: Bounds): readonly CellEdit[] => {
  const placed: { row: number; column: number; value: string }[] = [];
  for (let row = bounds.top; row <= bounds.bottom; row += 1) {
    for (let column = bounds.left; column <= bounds.right; column += 1) {
      placed.push({ row, column, value: "" });
    }
  }
  return toEdits(model, placed);
};
