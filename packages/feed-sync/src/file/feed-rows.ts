/** Reads the rows of a feed; rows of products with variants are joined as an import joins them. */

import { createFeedCheck, productRows } from "@catalog/importer";
import {
  type ColumnMapping,
  isFilled,
  type RowKind,
  type SourceRow,
  createSheetReader,
} from "@catalog/mapping";
import { createCompactTextMap } from "@catalog/runs";

import type { OpenedFeed } from "./open-feed.ts";

/**
 * Reads all rows in their order. A row takes only what a sync sends, and no images. A variant
 * without a certain parent stands for itself where it needs nothing of it.
 */
export async function* readFeedRows(
  { sheet, mapping, wholeMapping }: Pick<OpenedFeed, "sheet" | "mapping" | "wholeMapping">,
  onLeftOut?: (row: SourceRow, kind: RowKind) => void,
): AsyncGenerator<SourceRow> {
  const rows = productRows(sheet, mapping, onLeftOut);
  const taken = createTakenCells(mapping);
  const { readRow } = taken;
  const joiner = createSheetReader(wholeMapping).joinVariants({
    createRowList: createCompactTextMap,
    readRow,
  });
  if (joiner === undefined) {
    yield* rows;
    return;
  }
  const check = createFeedCheck(sheet, mapping);
  for await (const row of rows) {
    taken.note(row);
    const isWhole = check(row).length === 0;
    for (const joined of await joiner.push({ row, isWhole })) yield taken.keepTaken(joined);
  }
  for (const joined of joiner.finish()) yield taken.keepTaken(joined);
}

/** Whether a row is a parent or has an image only; a lost variant is a product with an error. */
export const isNoProduct = ({ joined }: SourceRow): boolean =>
  joined?.role === "parent" || joined?.role === "image";

/** The cells that a sync takes from other rows of a product. */
interface TakenCells {
  note(row: SourceRow): void;
  /** Returns the cells of a noted row that other rows may take. */
  readonly readRow: (row: number) => Promise<SourceRow>;
  /** The row without what a sync does not take. */
  keepTaken(row: SourceRow): SourceRow;
}

function createTakenCells(mapping: ColumnMapping): TakenCells {
  const { carried = [], code } = createSheetReader(mapping).variants ?? {};
  const noted = new Map<number, SourceRow>();
  return {
    note(row) {
      if (carried.some((index) => isFilled(row, index))) noted.set(row.row, pick(row, carried));
    },
    readRow: async (row) => noted.get(row) ?? { row, cells: [] },
    keepTaken(row) {
      const { joined, ...own } = row;
      if (joined === undefined) return row;
      const needsNothing = [...carried, ...(code === undefined ? [] : [code])].every((index) =>
        isFilled(row, index),
      );
      if (joined.role === "lost" && needsNothing) return own;
      const { images: _, cells = {}, ...place } = joined;
      const kept = carried.flatMap((index) => {
        const cell = cells[index];
        return cell === undefined ? [] : [[index, cell] as const];
      });
      return { ...own, joined: { ...place, cells: Object.fromEntries(kept) } };
    },
  };
}

/** The row with these cells only. */
const pick = ({ row, cells, traits, formats }: SourceRow, kept: readonly number[]): SourceRow => ({
  row,
  cells: Array.from(cells, (cell, index) => (kept.includes(index) ? cell : null)),
  ...(traits === undefined ? undefined : { traits }),
  ...(formats === undefined ? undefined : { formats }),
});
