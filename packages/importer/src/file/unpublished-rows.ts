/** Leaves out rows whose product is not on sale where it comes from, and names them. */

import type { Localized } from "@catalog/i18n";
import { type ColumnMapping, type SourceRow, createSheetReader } from "@catalog/mapping";
import { cellInSheet, type RunSheets, type RunWarning } from "@catalog/runs";

/** Leaves out rows of a sheet and counts them. */
export interface UnpublishedRows {
  /** Returns whether a row stays; rows are passed in the order in which they leave the joiner. */
  keeps(row: SourceRow): boolean;
  /** Whether the row was left out. */
  has(row: number): boolean;
  warnings(): readonly RunWarning[];
}

export interface UnpublishedRowsOptions {
  readonly sheet: RunSheets;
  /** Whether all cells of a row could be read; another row may have slipped, and is kept. */
  readonly isWhole: (row: SourceRow) => boolean;
}

const MAX_NAMED = 10;

/** Leaves out no row. */
export const KEEP_UNPUBLISHED: UnpublishedRows = {
  keeps: () => true,
  has: () => false,
  warnings: () => [],
};

/** Finds the rows by the columns of the sheet that say so, where it has any. */
export function createUnpublishedRows(
  mapping: ColumnMapping,
  { sheet, isWhole }: UnpublishedRowsOptions,
): UnpublishedRows {
  const find = createSheetReader(mapping).findUnpublished(isWhole);
  if (find === undefined) return KEEP_UNPUBLISHED;
  const code = mapping.columns.find(
    ({ target }) => target.kind === "field" && target.field === "product_code",
  )?.index;
  const dropped = new Set<number>();
  const named: string[] = [];
  const columns = new Map<string, Set<string>>();
  const note = (row: SourceRow, cells: ReturnType<typeof find>): void => {
    dropped.add(row.row);
    for (const { column, text } of cells) {
      const values = columns.get(column.header) ?? new Set();
      columns.set(column.header, values.add(text));
    }
    const [cell] = cells;
    if (named.length === MAX_NAMED || cell === undefined) return;
    const text = code === undefined ? "" : String(row.cells[code] ?? "").trim();
    const address = cellInSheet(sheet, cell.row, cell.column.letter);
    named.push(text === "" ? address : `${address} (${text})`);
  };
  return {
    has: (row) => dropped.has(row),
    keeps(row) {
      const cells = find(row);
      if (cells.length > 0) note(row, cells);
      return cells.length === 0;
    },
    warnings: () =>
      dropped.size === 0
        ? []
        : [{ code: "W_UNPUBLISHED_ROWS", message: toMessage(dropped.size, { named, columns }) }],
  };
}

interface NamedRows {
  readonly named: readonly string[];
  /** Values by the header of their column. */
  readonly columns: ReadonlyMap<string, ReadonlySet<string>>;
}

function toMessage(count: number, { named, columns }: NamedRows): Localized {
  const list = named.join(", ") + (count > named.length ? ", …" : "");
  const values = [...columns]
    .map(([header, texts]) => `“${header}”: ${[...texts].join(", ")}`)
    .join("; ");
  const flags = [...columns.keys()].map((header) => `--map "${header}=-"`).join(" ");
  return {
    tr: `Kaynağında satışta olmayan ${count} satır atlandı (${values}): ${list}. Bunlar da alınacaksa: ${flags}`,
    en: `Rows that are not on sale where they come from were left out (${values}): ${count}: ${list}. To take them after all: ${flags}`,
  };
}
