import { type ColumnMapping, isIgnoredRow } from "@catalog/mapping";
import type { OpenedSheet, SheetRow } from "@catalog/sheets";

/** Number of the row of headers, or of the row of machine keys below it. */
export const lastHeaderRow = (
  { header }: Pick<OpenedSheet, "header">,
  { hasKeyRow }: Pick<ColumnMapping, "hasKeyRow">,
): number => header.row + (hasKeyRow ? 1 : 0);

/** Reads the rows below the headers and the machine keys, without remarks. */
export async function* productRows(
  sheet: Pick<OpenedSheet, "header" | "rows">,
  mapping: ColumnMapping,
  onIgnored: (row: SheetRow) => void = () => undefined,
): AsyncGenerator<SheetRow> {
  const lastHeader = lastHeaderRow(sheet, mapping);
  for await (const row of sheet.rows()) {
    if (row.row <= lastHeader) continue;
    if (isIgnoredRow(row)) onIgnored(row);
    else yield row;
  }
}
