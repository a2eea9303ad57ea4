/** Reads the product code of a row before the whole row can be mapped. */

import type { ColumnMapping } from "../columns/map-columns.ts";
import { codeKey } from "../fold.ts";
import type { Issue } from "../issues/issue.ts";
import { createCellDisplays } from "../values/cell-display.ts";
import { readCodeCell } from "../values/product-code.ts";
import { locationOf } from "./layout.ts";
import { cellAddress, cellText, isErrorText, isOpenFormula, type SourceRow } from "./source-row.ts";

/** Reads product codes and their locations. */
export interface CodeColumn {
  /** `undefined` when the cell is empty or holds no valid code. */
  read(row: SourceRow): { readonly code: string; readonly codeKey: string } | undefined;
  /** Location of an issue about the row's code; column A where the file has no codes. */
  location(row: number, value: string): Pick<Issue, "sheet" | "row" | "column" | "cell" | "value">;
}

/** The column of product codes in a sheet. */
export function createCodeColumn(sheet: string, mapping: ColumnMapping): CodeColumn {
  const column = mapping.columns.find(
    ({ target }) => target.kind === "field" && target.field === "product_code",
  );
  const displays = createCellDisplays();
  return {
    read({ cells, traits, formats }) {
      if (column === undefined) return undefined;
      const value = cells[column.index] ?? null;
      const text = cellText(value);
      const trait = traits?.[column.index];
      if (text === "" || trait === "error" || isErrorText(text)) return undefined;
      if (isOpenFormula(text, trait)) return undefined;
      const reading = readCodeCell({ value, trait, format: formats?.[column.index] }, displays);
      return reading.ok ? { code: reading.value, codeKey: codeKey(reading.value) } : undefined;
    },
    location(row, value) {
      if (column !== undefined) return { ...locationOf({ sheet }, column, row), value };
      return { sheet, row, column: "", cell: cellAddress(0, row), value };
    },
  };
}
