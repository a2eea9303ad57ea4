import { formatNumber, type Localized } from "@catalog/i18n";

import { toVisibleLine } from "./visible-text.ts";
import { MAX_COUNTED_ROWS } from "./xlsx/read/sheet-content.ts";

/** A sheet and its number of rows, if it was counted. */
export interface CountedSheet {
  readonly name: string;
  readonly rows?: number | undefined;
}

const MAX_LISTED = 10;

/** Lists sheets for people: `“Yaz” (12 dolu satır), “Kış” (8 dolu satır)`. */
export function countedSheets(sheets: readonly CountedSheet[]): Localized {
  const list = (rowsText: (rows: number) => string): string => {
    const texts = sheets.slice(0, MAX_LISTED).map(({ name, rows }) => {
      const shown = `“${toVisibleLine(name)}”`;
      return rows === undefined ? shown : `${shown} (${rowsText(rows)})`;
    });
    return sheets.length > MAX_LISTED ? `${texts.join(", ")}, …` : texts.join(", ");
  };
  return {
    tr: list((rows) => `${formatNumber(rows, "tr")}${plus(rows)} dolu satır`),
    en: list(
      (rows) => `${formatNumber(rows, "en")}${plus(rows)} filled ${rows === 1 ? "row" : "rows"}`,
    ),
  };
}

const plus = (rows: number): string => (rows >= MAX_COUNTED_ROWS ? "+" : "");
