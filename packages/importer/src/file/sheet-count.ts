/** Counts the products of each sheet where several are read as one. */

import { formatNumber, type Lang, type Localized } from "@catalog/i18n";
import { locateRow, type RunSheets } from "@catalog/runs";

export interface SheetCount {
  note(row: number): void;
  /** The sheets with their numbers of products; empty for a file with one sheet. */
  notes(): readonly Localized[];
}

export function createSheetCount(file: RunSheets): SheetCount {
  const counts = new Map(file.sheets?.map(({ name }) => [name, 0]));
  const list = (lang: Lang, rowsText: (rows: string, isOne: boolean) => string): string =>
    [...counts]
      .map(([name, rows]) => `“${name}” ${rowsText(formatNumber(rows, lang), rows === 1)}`)
      .join(", ");
  return {
    note(row) {
      const name = locateRow(file, row)?.sheet;
      if (name !== undefined) counts.set(name, (counts.get(name) ?? 0) + 1);
    },
    notes: () =>
      counts.size === 0
        ? []
        : [
            {
              tr: `Birlikte okunan sayfalar: ${list("tr", (rows) => `${rows} satır`)}.`,
              en: `Sheets read together: ${list("en", (rows, isOne) => `${rows} ${isOne ? "row" : "rows"}`)}.`,
            },
          ],
  };
}
