/** Joins the rows of products with variants while a sheet is read, and counts them. */

import {
  type ColumnMapping,
  type SourceRow,
  createSheetReader,
  type SheetReader,
} from "@catalog/mapping";
import { createCompactTextMap } from "@catalog/runs";

import type { UnpublishedRows } from "./unpublished-rows.ts";

/** Rows of a sheet by what they are, and the columns that variants took from their parents. */
export interface JoinedRows {
  /** Rows that are sent and have no options. */
  readonly products: number;
  readonly variants: number;
  /** Products that the variants belong to. */
  readonly withVariants: number;
  readonly parents: number;
  readonly images: number;
  readonly takenColumns: ReadonlySet<number>;
}

/** Joins the rows of a sheet. */
export interface SheetJoiner {
  push(row: SourceRow): Promise<readonly SourceRow[]>;
  finish(): readonly SourceRow[];
  counts(): JoinedRows;
}

export interface SheetJoinerOptions {
  /** Whether all cells of a row could be read. */
  readonly isWhole: (row: SourceRow) => boolean;
  /** Reads a row that was joined before. */
  readonly readRow: (row: number) => Promise<SourceRow | undefined>;
  readonly unpublished: Pick<UnpublishedRows, "keeps" | "has">;
}

/** `undefined` for a sheet in which every row is a product by itself. */
export function createSheetJoiner(
  mapping: ColumnMapping,
  { readRow, ...options }: SheetJoinerOptions,
): SheetJoiner | undefined {
  const { unpublished } = options;
  const joiner = createSheetReader(mapping).joinVariants({
    createRowList: createCompactTextMap,
    // Rows that take cells of a parent that is left out are left out as well.
    readRow: async (row) => (unpublished.has(row) ? { row, cells: [] } : await readRow(row)),
  });
  return joiner && countRows(joiner, options);
}

function countRows(
  joiner: NonNullable<ReturnType<SheetReader["joinVariants"]>>,
  { isWhole, unpublished }: Omit<SheetJoinerOptions, "readRow">,
): SheetJoiner {
  const counts = { product: 0, variant: 0, parent: 0, image: 0, lost: 0 };
  const takenColumns = new Set<number>();
  const known = createCompactTextMap();
  let withVariants = 0;
  const noteProduct = (row: number): void => {
    if (known.get(String(row)) !== undefined) return;
    known.set(String(row), row);
    withVariants += 1;
  };
  const note = ({ joined }: SourceRow): void => {
    counts[joined?.role ?? "product"] += 1;
    for (const index of Object.keys(joined?.cells ?? {})) takenColumns.add(Number(index));
    if (joined?.role === "variant" && joined.parentRow !== undefined) noteProduct(joined.parentRow);
  };
  const keep = (joined: readonly SourceRow[]): readonly SourceRow[] => {
    const rows = joined.filter((row) => unpublished.keeps(row));
    for (const row of rows) note(row);
    return rows;
  };
  return {
    push: async (row) => keep(await joiner.push({ row, isWhole: isWhole(row) })),
    finish: () => keep(joiner.finish()),
    counts: () => ({
      products: counts.product,
      variants: counts.variant,
      withVariants,
      parents: counts.parent,
      images: counts.image,
      takenColumns,
    }),
  };
}
