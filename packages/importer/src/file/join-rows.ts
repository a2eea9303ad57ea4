/** Joins the rows of products with variants while a sheet is read, and counts them. */

import {
  type ColumnMapping,
  createRowJoiner,
  type RowJoiner,
  type SourceRow,
} from "@catalog/mapping";
import { createCompactTextMap } from "@catalog/runs";

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
}

/** `undefined` for a sheet in which every row is a product by itself. */
export function createSheetJoiner(
  mapping: ColumnMapping,
  { isWhole, readRow }: SheetJoinerOptions,
): SheetJoiner | undefined {
  const joiner = createRowJoiner(mapping, { createRowList: createCompactTextMap, readRow });
  return joiner && countRows(joiner, isWhole);
}

function countRows(joiner: RowJoiner, isWhole: (row: SourceRow) => boolean): SheetJoiner {
  const counts = { product: 0, variant: 0, parent: 0, image: 0, lost: 0 };
  const takenColumns = new Set<number>();
  const known = createCompactTextMap();
  let withVariants = 0;
  const noteProduct = (row: number): void => {
    if (known.get(String(row)) !== undefined) return;
    known.set(String(row), row);
    withVariants += 1;
  };
  const note = (rows: readonly SourceRow[]): readonly SourceRow[] => {
    for (const { joined } of rows) {
      counts[joined?.role ?? "product"] += 1;
      for (const index of Object.keys(joined?.cells ?? {})) takenColumns.add(Number(index));
      if (joined?.role === "variant" && joined.parentRow !== undefined)
        noteProduct(joined.parentRow);
    }
    return rows;
  };
  return {
    push: async (row) => note(await joiner.push({ row, isWhole: isWhole(row) })),
    finish: () => note(joiner.finish()),
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
