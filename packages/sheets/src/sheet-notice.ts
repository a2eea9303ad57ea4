/**
 * Notices about a sheet: content that was read although it may be unexpected, and content that was
 * not.
 */

import type { Localized } from "@catalog/i18n";

import { countedSheets } from "./counted-sheets.ts";
import { columnLetters } from "./xlsx/cell-address.ts";
import type { SheetFacts } from "./xlsx/read/sheet-facts.ts";

/** One notice about a sheet; `count` is the number of affected rows, columns or sheets. */
export interface SheetNotice {
  /** Stable: safe to branch on and to store. */
  readonly code: "W_MERGED" | "W_HIDDEN_ROWS" | "W_HIDDEN_COLUMNS" | "W_SHEETS_LEFT_OUT";
  readonly count: number;
  readonly message: Localized;
}

/** Makes the notices of a sheet; merged titles and hidden rows above the header are ignored. */
export function toNotices(facts: SheetFacts | undefined, headerRow: number): SheetNotice[] {
  if (facts === undefined) return [];
  const merged = facts.mergedRows.filter((row) => row > headerRow).length;
  const hiddenRows = facts.hiddenRows.filter((row) => row > headerRow);
  const hiddenColumns = facts.hiddenColumns.map(columnLetters);
  const others = facts.leftOutSheets ?? [];
  const sheets = countedSheets(others.map(({ name, rows }) => ({ name, rows })));
  return [
    notice("W_MERGED", merged, {
      tr: `${merged} birleştirilmiş hücre bloğu var; değer yalnızca bloğun ilk hücresinden okundu, ötekiler boş sayıldı.`,
      en: `There are ${merged} merged blocks; a value was read from the first cell of each only, and the others count as empty.`,
    }),
    notice("W_HIDDEN_ROWS", hiddenRows.length, {
      tr: `${hiddenRows.length} gizli satır da okundu (ilki ${hiddenRows[0]}. satır). İstemiyorsanız dosyadan silin.`,
      en: `Hidden rows were read as well: ${hiddenRows.length}, the first is row ${hiddenRows[0]}. Delete them from the file if they are not meant.`,
    }),
    notice("W_HIDDEN_COLUMNS", hiddenColumns.length, {
      tr: `Gizli sütunlar da okundu: ${listed(hiddenColumns)}. İstemiyorsanız dosyadan silin.`,
      en: `Hidden columns were read as well: ${listed(hiddenColumns)}. Delete them from the file if they are not meant.`,
    }),
    notice("W_SHEETS_LEFT_OUT", others.length, {
      tr: `Dosyadaki şu sayfalar okunmadı: ${sheets.tr}. Okunacak sayfayı --sheet ile belirtin.`,
      en: `These sheets of the file were not read: ${sheets.en}. Name the sheet to be read with --sheet.`,
    }),
  ].filter(({ count }) => count > 0);
}

const notice = (code: SheetNotice["code"], count: number, message: Localized): SheetNotice => ({
  code,
  count,
  message,
});

const MAX_LISTED = 10;

const listed = (names: readonly string[]): string =>
  names.length > MAX_LISTED ? `${names.slice(0, MAX_LISTED).join(", ")}, …` : names.join(", ");
