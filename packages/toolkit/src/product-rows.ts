import { type ColumnMapping, isIgnoredRow } from "@catalog/mapping";
import { type OpenedSheet, type SheetRow } from "@catalog/sheets";

/** The rows below the headers and the machine keys, without remarks. */
export async function* productRows(
  sheet: Pick<OpenedSheet, "header" | "rows">,
  mapping: ColumnMapping,
  onRemark: () => void = () => undefined,
): AsyncGenerator<SheetRow> {
  const lastHeader = sheet.header.row + (mapping.hasKeyRow ? 1 : 0);
  for await (const row of sheet.rows()) {
    if (row.row <= lastHeader) continue;
    if (isIgnoredRow(row)) onRemark();
    else yield row;
  }
}
