import { type ColumnMapping, isIgnoredRow } from "@catalog/mapping";
import { type OpenedSheet, readBatches, type SheetRow } from "@catalog/sheets";

/** Number of the row of headers, or of the row of machine keys below it. */
export const lastHeaderRow = (
  { header }: Pick<OpenedSheet, "header">,
  { hasKeyRow }: Pick<ColumnMapping, "hasKeyRow">,
): number => header.row + (hasKeyRow ? 1 : 0);

type ReadableSheet = Pick<OpenedSheet, "header" | "rows"> & Partial<Pick<OpenedSheet, "batches">>;

/** Reads the rows below the headers and the machine keys, without remarks. */
export async function* productRows(
  sheet: ReadableSheet,
  mapping: ColumnMapping,
  onIgnored?: (row: SheetRow) => void,
): AsyncGenerator<SheetRow> {
  for await (const batch of productBatches(sheet, mapping, onIgnored)) yield* batch;
}

/** Reads the same rows, those of one piece of the file at a time. */
export async function* productBatches(
  sheet: ReadableSheet,
  mapping: ColumnMapping,
  onIgnored: (row: SheetRow) => void = () => undefined,
): AsyncGenerator<Iterable<SheetRow>> {
  const lastHeader = lastHeaderRow(sheet, mapping);
  function* products(batch: Iterable<SheetRow>): Generator<SheetRow> {
    for (const row of batch) {
      if (row.row <= lastHeader) continue;
      if (isIgnoredRow(row)) onIgnored(row);
      else yield row;
    }
  }
  for await (const batch of readBatches(sheet)) yield products(batch);
}
