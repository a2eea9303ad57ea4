import { expect, it } from "vitest";

import * as sheets from "../src/index.ts";

it("exports what the package is for, and nothing else", () => {
  expect(Object.keys(sheets).toSorted()).toEqual([
    "DEFAULT_LIMITS",
    "MOST_CELL_CHARS",
    "MOST_SHEET_ROWS",
    "SheetError",
    "escapeFormula",
    "openSheet",
    "resolveSheetLink",
    "streamXlsx",
    "unescapeFormula",
    "writeCsv",
    "writeJsonl",
    "writeTemplate",
    "writeXlsx",
  ]);
});
