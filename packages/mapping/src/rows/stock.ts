/** Reads the stock of a row; a platform's words for a stock without a number are refused. */

import { createIssue } from "../issues/issue.ts";
import type { NumberNotations } from "../values/notation.ts";
import { readStockCell } from "../values/shown-number.ts";
import { type Cell, constantCell, locationOf, NO_COLUMN, PLAIN_CELL } from "./layout.ts";
import type { StockWords } from "./platform-columns.ts";
import { notationOf } from "./pricing.ts";
import { cellAt } from "./read-cell.ts";
import type { RowWork } from "./row-work.ts";
import { cellText } from "./source-row.ts";

/** Writes the stock count into the changes; that of several columns is their sum. */
export function applyStock(work: RowWork, notations: NumberNotations): void {
  const found = work.cells.get("stock");
  const cell = isUntracked(work, found) ? refuseUntracked(work, found) : found;
  const isOwn = cell !== undefined && cell.index !== NO_COLUMN;
  const isRefused = isOwn ? refuseShared(work, cell) : refuseEmpty(work, cell);
  if (isRefused || cell === undefined) return;
  const { displays } = work.layout;
  const further = work.further.filter(({ field }) => field === "stock");
  const stocks = [cell, ...further].map((each) => {
    const notation = notationOf(each, notations);
    return work.take(readStockCell(each, { displays, notation }), each);
  });
  const counts = stocks.filter((stock) => stock !== undefined);
  if (counts.length < stocks.length) return;
  const stock = counts.reduce((sum, count) => sum + count, 0);
  const none = stock > 0 ? findNone(work) : undefined;
  if (none === undefined) work.changes.stock_count = stock;
  else work.report({ text: "E_STOCK_STATE.contradicts", params: none }, cell);
}

/** The text by which a row says that there is no stock, and the header of its column. */
function findNone({ layout, source }: RowWork): { other: string; state: string } | undefined {
  const { state, none } = layout.stockWords ?? NO_WORDS;
  const text = state === undefined ? "" : cellText(cellAt(source, state).value);
  if (state === undefined || !none.has(text.toLowerCase())) return undefined;
  return { other: layout.mapping.columns[state]?.header ?? "", state: text };
}

/** No number but nothing, and zeros. */
const NO_COUNT = /^(?:0+(?:[.,]0+)?)?$/u;

/** Whether nobody counts the stock of a row, so that its 0 does not mean that it is sold out. */
function isUntracked({ layout, source, given }: RowWork, cell: Cell | undefined): boolean {
  const { tracker } = layout.stockWords ?? {};
  if (tracker === undefined || layout.column("stock") === undefined) return false;
  if (cellText(cellAt(source, tracker).value) !== "") return false;
  // A broken cell has its own issue.
  if (cell === undefined) return !given.has("stock");
  return cell.index !== NO_COLUMN && NO_COUNT.test(cell.text);
}

/** Returns the stock that a person gives for such rows; without one a new product is refused. */
function refuseUntracked(work: RowWork, cell: Cell | undefined): Cell | undefined {
  const { layout, row } = work;
  const given = constantCell(layout, "stock", row);
  if (given !== undefined) return given;
  const { tracker = 0 } = layout.stockWords ?? {};
  const other = layout.mapping.columns[tracker]?.header ?? "";
  const problem = { text: "E_STOCK_STATE.untracked", params: { other } } as const;
  const { location } = cell ?? emptyStock(work, tracker);
  work.addIssues.push({ field: "stock", issue: createIssue(problem, location) });
  return undefined;
}

/** Refuses a stock that belongs to all variants of a product together. */
function refuseShared(work: RowWork, cell: Cell): boolean {
  const shared = work.layout.stockWords?.shared;
  const { parentRow } = work.source.joined ?? {};
  if (shared === undefined || parentRow === undefined) return false;
  if (cell.text.toLowerCase() !== shared) return false;
  const params = { parent: work.layout.nameRow(parentRow) };
  work.report({ text: "E_STOCK_STATE.shared", params }, cell);
  return true;
}

/**
 * Refuses a row that has no number and says that there is no stock. `given` is a value for all rows,
 * which such a row must not take.
 */
function refuseEmpty(work: RowWork, given: Cell | undefined): boolean {
  const { state } = work.layout.stockWords ?? NO_WORDS;
  if (state === undefined || !needsStock(work, given)) return false;
  const none = findNone(work);
  if (none === undefined) return false;
  work.report({ text: "E_STOCK_STATE", params: none }, emptyStock(work, state));
  return true;
}

const NO_WORDS: Pick<StockWords, "state" | "none"> = { state: undefined, none: new Set() };

/** A file without a column of stock changes none; a broken or cleared cell has its own issue. */
const needsStock = ({ layout, given: filled }: RowWork, given: Cell | undefined): boolean =>
  given !== undefined || (layout.column("stock") !== undefined && !filled.has("stock"));

/** The empty cell of the stock, where a person writes the number; else the cell of its state. */
function emptyStock({ layout, row }: RowWork, state: number): Cell {
  const column = layout.column("stock") ?? layout.mapping.columns[state];
  const place = column && locationOf(layout, column, row);
  const location = place ?? { sheet: layout.sheet, row, column: "", cell: "", value: "" };
  const index = column?.index ?? state;
  return { ...PLAIN_CELL, field: "stock", index, location, value: "", text: "" };
}
