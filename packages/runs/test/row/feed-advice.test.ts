import { expect, it } from "vitest";

import { toGuardIssue, toStockIssue, toUnknownUnitIssue } from "../../src/guards/guard-issue.ts";
import { toIssue } from "../../src/row/issues.ts";
import { locateIssue } from "../../src/row/row-address.ts";

const AT = { sheet: "", row: 2, column: "Fiyat", cell: "B2", value: "1" };
const DROP = { guard: "price-drop", field: "price", old: 400, new: 100, percent: -75 } as const;

it.each([
  ["a fallen price", toGuardIssue(DROP, AT)],
  ["an emptied store", toStockIssue({ rows: 9, emptied: 8 }, AT)],
  ["an unknown unit of prices", toUnknownUnitIssue(AT)],
  ["an unknown code", toIssue("E_PRODUCT_UNKNOWN", AT, "K-1")],
  ["a product that has changed", toIssue("E_CHANGED", AT)],
  ["a refused row", toIssue("E_REJECTED", AT)],
])("advice on %s speaks of a sync where the row is one of a feed", (_, issue) => {
  const { tr, en } = locateIssue({ feed: "stok.csv" }, issue, "r-1").suggestion ?? {};

  expect(tr).toMatch(/eşitleme/u);
  expect(en).toMatch(/sync/u);
  expect(tr).not.toMatch(/yeniden yükleyin|resume|--mode/u);
  expect(en).not.toMatch(/import (?:the|that) file|import it again|resume|--mode/u);
});

it("a guard's advice names the sync, the guard, and the run of the held row", () => {
  const issue = toGuardIssue(DROP, AT);

  const forSync = locateIssue({ feed: "stok.csv" }, issue, "r-1").suggestion;
  const forImport = locateIssue({}, issue, "r-1").suggestion;

  expect(forSync?.en).toContain("run the sync once with --allow price-drop, or write Yes");
  expect(forSync?.tr).toContain("eşitlemeyi bir kez --allow price-drop ile çalıştırın ya da");
  expect(forSync?.en).toContain("catalog release r-1 --approved held.xlsx");
  expect(forImport?.en).toContain("import the file again with --allow price-drop");
});

it("advice on an unknown code of a feed names what leaves the exit code as it is", () => {
  const issue = toIssue("E_PRODUCT_UNKNOWN", AT, "K-1");

  expect(locateIssue({ feed: "stok.csv" }, issue).suggestion?.en).toContain(
    "A sync adds nothing; if the product is new, import it first.",
  );
  expect(locateIssue({ feed: "stok.csv" }, issue).suggestion?.tr).toContain(
    "--ignore-unknown-codes",
  );
});
