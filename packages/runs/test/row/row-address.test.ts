import { quoteWord } from "@catalog/i18n";
import { describe, expect, it } from "vitest";

import { toGuardIssue, toStockIssue, toUnknownUnitIssue } from "../../src/guards/guard-issue.ts";
import { toIssue } from "../../src/row/issues.ts";
import {
  cellInSheet,
  locateCell,
  locateIssue,
  locateRow,
  parseRowAddress,
  rowAddress,
  rowArgument,
} from "../../src/row/row-address.ts";

const ONE = {};
const TWO = {
  sheets: [
    { name: "Yaz", rowsBefore: 0 },
    { name: "Kış 2026", rowsBefore: 2_000 },
  ],
};

describe("rows of a file with one sheet", () => {
  it("are named by their number", () => {
    expect(rowAddress(ONE, 2_007)).toBe("2007");
    expect(cellInSheet(ONE, 7, "B")).toBe("B7");
    expect(locateRow(ONE, 7)).toBeUndefined();
    expect(parseRowAddress(ONE, "7")).toBe(7);
  });

  it.each(["", "0", "-1", "1.5", "Kış!7", "a"])("are not named by %j", (text) => {
    expect(parseRowAddress(ONE, text)).toBeUndefined();
  });
});

describe("rows of a file with several sheets", () => {
  it.each([
    [7, "Yaz!7"],
    [2_001, "'Kış 2026'!1"],
    [2_007, "'Kış 2026'!7"],
  ])("are named by their sheet and the number there: %i", (row, name) => {
    expect(rowAddress(TWO, row)).toBe(name);
    expect(parseRowAddress(TWO, name)).toBe(row);
  });

  it("are found without quotes, in any case, and by the number in the run", () => {
    expect(parseRowAddress(TWO, "KIŞ 2026!7")).toBe(2_007);
    expect(parseRowAddress(TWO, "2007")).toBe(2_007);
    expect(parseRowAddress(TWO, "Güz!7")).toBeUndefined();
  });

  it("have cells of their sheet, and none where an issue has none", () => {
    expect(locateCell(TWO, 2_007, "AB2007")).toBe("'Kış 2026'!AB7");
    expect(locateCell(TWO, 2_007, "")).toBe("");
    expect(locateCell(ONE, 7, "AB7")).toBe("AB7");
  });

  it("have advice with their run and row, where the run is known", () => {
    const text = { tr: "release <çalıştırma> --rows <satır>", en: "release <run> --rows <row>" };
    const place = { sheet: "", row: 2_007, column: "", cell: "", value: "" };
    const issue = { code: "E_X", message: text, suggestion: text, ...place };

    const filled = "release r-1 --rows 'Kış 2026!7'";
    expect(locateIssue(TWO, issue, "r-1").suggestion).toEqual({ tr: filled, en: filled });
    expect(locateIssue(ONE, issue, "r-1").suggestion?.tr).toBe("release r-1 --rows 2007");
    expect(locateIssue(ONE, issue).suggestion).toEqual(text);
  });

  it.each([
    ["Kış", "Kış!7"],
    ["Kış 2026", "Kış 2026!7"],
    ["Y", "Y!7"],
    ["3-5", "3-5!7"],
    ["a,b", "'a,b'!7"],
    ["Ayşe'nin", "'Ayşe''nin'!7"],
    ["-x", "'-x'!7"],
    [" x ", "' x '!7"],
  ])("are one word of a command in a sheet named %s", (name, word) => {
    const file = { sheets: [{ name, rowsBefore: 100 }] };

    expect(rowArgument(file, 107)).toBe(quoteWord(word));
    expect(parseRowAddress(file, word)).toBe(107);
  });

  it("have issues at cells of their sheet", () => {
    const message = { tr: "Yanlış.", en: "Wrong." };
    const issue = { code: "E_X", sheet: "Yaz", row: 2_007, column: "Stok", value: "", message };

    expect(locateIssue(TWO, { ...issue, cell: "B2007" })).toMatchObject({
      row: 2_007,
      sheet: "Kış 2026",
      sheet_row: 7,
      cell: "'Kış 2026'!B7",
    });
    expect(locateIssue(TWO, { ...issue, cell: "" })).toMatchObject({ cell: "", sheet_row: 7 });
  });
});

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
