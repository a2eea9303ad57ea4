/** Copying, pasting and filling blocks of cells. */

import type { CellEdit, GridModel } from "./grid-model.ts";
import { MAX_CELLS } from "./limits.ts";
import { type Bounds, placeTexts } from "./selection.ts";
import { formatTsv, parseTsv } from "./tsv.ts";

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

/** The cells of a block as text, after its rows were read. */
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

/** The changes that pasted cells make from the upper left corner of a block. */
export const pasteCells = (
  model: GridModel,
  bounds: Bounds,
  cells: readonly (readonly string[])[],
): readonly CellEdit[] => {
  const size = { rows: model.rows.order.length, columns: model.columns.length + 1 };
  return toEdits(model, placeTexts(bounds, cells, size));
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

/** The changes that empty a block. */
export const clearBlock = (model: GridModel, bounds: Bounds): readonly CellEdit[] => {
  const placed: { row: number; column: number; value: string }[] = [];
  for (let row = bounds.top; row <= bounds.bottom; row += 1) {
    for (let column = bounds.left; column <= bounds.right; column += 1) {
      placed.push({ row, column, value: "" });
    }
  }
  return toEdits(model, placed);
};
