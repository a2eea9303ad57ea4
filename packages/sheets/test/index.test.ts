import { expect, it } from "vitest";

import * as sheets from "../src/index.ts";

it("exports what the package is for, and nothing else", () => {
  expect(Object.keys(sheets).toSorted()).toEqual([
    "DEFAULT_LIMITS",
    "SheetError",
    "escapeFormula",
    "openSheet",
    "resolveSheetLink",
    "unescapeFormula",
    "writeCsv",
    "writeTemplate",
    "writeXlsx",
  ]);
});
