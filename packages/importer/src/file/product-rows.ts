import { type ColumnMapping, type RowKind, createSheetReader } from "@catalog/mapping";
import { type OpenedSheet, readBatches, type SheetRow } from "@catalog/sheets";

/** Number of the row of headers, or of the row of machine keys below it. */
export const lastHeaderRow = (
  { header }: Pick<OpenedSheet, "header">,
  { hasKeyRow }: Pick<ColumnMapping, "hasKeyRow">,
): number => header.row + (hasKeyRow ? 1 : 0);

type ReadableSheet = Pick<OpenedSheet, "header" | "rows"> & Partial<Pick<OpenedSheet, "batches">>;

/** Reads the products below the headers and the machine keys. */
export async function* productRows(
  sheet: ReadableSheet,
  mapping: ColumnMapping,
  onLeftOut?: (row: SheetRow, kind: RowKind) => void,
): AsyncGenerator<SheetRow> {
  for await (const batch of productBatches(sheet, mapping, onLeftOut)) yield* batch;
}

/** Reads the same rows, those of one piece of the file at a time. */
export async function* productBatches(
  sheet: ReadableSheet,
  mapping: ColumnMapping,
  onLeftOut: (row: SheetRow, kind: RowKind) => void = () => undefined,
): AsyncGenerator<Iterable<SheetRow>> {
  const lastHeader = lastHeaderRow(sheet, mapping);
  const readKind = createSheetReader(mapping).kindsBelow(lastHeader);
  function* products(batch: Iterable<SheetRow>): Generator<SheetRow> {
    for (const row of batch) {
      if (row.row <= lastHeader) continue;
      const kind = readKind(row);
      if (kind === "product") yield row;
      else onLeftOut(row, kind);
    }
  }
  for await (const batch of readBatches(sheet)) yield products(batch);
}
