/**
 * Writes the sheets of cells as workbooks into the named folder, from which LibreOffice makes the
 * fixtures: `soffice --headless --convert-to xls *.xlsx`, and the same with `ods`.
 */

import { writeFileSync } from "node:fs";
import { join } from "node:path";

import { CELL_SHEETS } from "./cell-kinds.ts";
import { xlsxOf } from "./kind.ts";

const [, , folder = "."] = process.argv;
for (const { name, rows } of CELL_SHEETS) {
  writeFileSync(join(folder, `${name}.xlsx`), xlsxOf(rows));
}
