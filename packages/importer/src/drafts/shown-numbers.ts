/** Numbers of a workbook as a person reads and types them; the cells stay as the file has them. */

import { formatNumber, type Lang, type Localized } from "@catalog/i18n";
import type { ColumnMapping, FieldKey, NumberNotations, SourceRow } from "@catalog/mapping";

/** A number cell in words. */
export interface ShownNumber {
  /** Index of the column. */
  readonly column: number;
  /** As the preview writes it: 3.448,10 in Turkish. */
  readonly text: Localized;
  /** Without marks of thousands, so that a changed digit leaves only one reading. */
  readonly typed: Localized;
}

/** Number of decimals that prices have at least; other numbers have those that they need. */
const MIN_DECIMALS: ReadonlyMap<FieldKey, number> = new Map([
  ["price", 2],
  ["list_price", 2],
  ["discount_value", 0],
  ["stock", 0],
]);

/** The language that writes numbers with the sign. */
const LANG_OF: Readonly<Record<"comma" | "point", Lang>> = { comma: "tr", point: "en" };

/** A number cell has at most 15 digits that count. */
const MAX_DECIMALS = 15;

/** Finds the number cells in columns of numbers; a text shows what the file says. */
export function createShownNumbers(
  mapping: ColumnMapping,
  notations: Pick<NumberNotations, "columns">,
): (row: Pick<SourceRow, "cells">) => readonly ShownNumber[] {
  const columns = mapping.columns.flatMap(({ index, target }) => {
    const minDecimals = target.kind === "field" ? MIN_DECIMALS.get(target.field) : undefined;
    return minDecimals === undefined ? [] : [{ index, minDecimals }];
  });
  return ({ cells }) =>
    columns.flatMap(({ index: column, minDecimals }) => {
      const cell = cells[column];
      if (typeof cell !== "number" || !Number.isFinite(cell)) return [];
      const sign = notations.columns.get(column)?.decimal;
      const show = (lang: Lang): string =>
        formatNumber(cell, lang, { minDecimals, maxDecimals: MAX_DECIMALS });
      // What is typed is read by the notation of the column, where its texts have one.
      const type = (lang: Lang): string => {
        const notation = sign === undefined ? lang : LANG_OF[sign];
        return withoutGroups(show(notation), notation);
      };
      const text = { tr: show("tr"), en: show("en") };
      return [{ column, text, typed: { tr: type("tr"), en: type("en") } }];
    });
}

/** A number without marks of thousands, in both languages. */
export const typeNumber = (value: number): Localized => {
  const type = (lang: Lang): string =>
    withoutGroups(formatNumber(value, lang, { maxDecimals: MAX_DECIMALS }), lang);
  return { tr: type("tr"), en: type("en") };
};

const withoutGroups = (text: string, lang: Lang): string =>
  text.replaceAll(lang === "tr" ? "." : ",", "");
