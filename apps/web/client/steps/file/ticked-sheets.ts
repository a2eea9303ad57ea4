import type { ReadingView } from "../../../src/api/index.ts";

/** The sheets that are read; where none is chosen yet, those with headers of products. */
export function tickedSheets({
  sheet,
  sheets,
}: Pick<ReadingView, "sheet" | "sheets">): readonly string[] {
  if (sheet === null) {
    return sheets.filter(({ hasProducts }) => hasProducts === true).map(({ name }) => name);
  }
  return sheets.filter(({ name }) => sheet.value.includes(name)).map(({ name }) => name);
}
