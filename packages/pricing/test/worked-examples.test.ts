/**
 * Examples that a person can check with a calculator. Their results were calculated by exact
 * fractions, apart from this code.
 */

import { readFileSync } from "node:fs";

import { describe, expect, it } from "vitest";

import { applyPriceRule, applyStockRule, judgeSale, parseRules } from "../src/index.ts";

const [HEADER = [], ...EXAMPLES] = readFileSync(
  new URL("fixtures/worked-examples.csv", import.meta.url),
  "utf8",
)
  .trim()
  .split("\n")
  .map((line) => line.split(";"));

const cellOf = (row: readonly string[], header: string): string =>
  row[HEADER.indexOf(header)] ?? "";

const toMinor = (text: string): number => Number(text.replace(",", ""));

/** The columns of the example that belong to a rule, with what a rate needs beside it. */
function toRule(row: readonly string[]) {
  const rate = cellOf(row, "Kur");
  const names = HEADER.slice(HEADER.indexOf("Kur"), -1);
  const headers = ["Para birimi", "Kur tarihi", "Komisyon %", "KDV %", ...names];
  const cells = headers.map((header) => {
    if (header === "Para birimi") return rate === "" ? "" : "USD";
    if (header === "Kur tarihi") return rate === "" ? "" : "28.11.2026";
    return cellOf(row, header);
  });
  const parsed = parseRules({ row: 1, cells: headers }, [{ row: 2, cells }]);
  const [rule] = parsed.ok ? parsed.rules : [];
  if (rule === undefined) throw new Error(JSON.stringify(parsed));
  return rule;
}

const CALCULATIONS: Readonly<Record<string, (row: readonly string[]) => string>> = {
  fiyat(row) {
    const rule = toRule(row);
    const made = applyPriceRule(rule, toMinor(cellOf(row, "Fiyat/Stok")), rule);
    const minor = String(made?.value ?? "").padStart(3, "0");
    return `${minor.slice(0, -2)},${minor.slice(-2)}`;
  },
  stok: (row) => String(applyStockRule(toRule(row), Number(cellOf(row, "Fiyat/Stok"))).value),
  satış(row) {
    const [commission, vat] = ["Komisyon %", "KDV %"].map(
      (header) => cellOf(row, header).replace(",", ".") || undefined,
    );
    const cost = toMinor(cellOf(row, "Maliyet"));
    const loss = judgeSale(toMinor(cellOf(row, "Fiyat/Stok")), { cost, commission, vat });
    const [, left] = / = ([\d.,]+) </u.exec(loss?.tr ?? "") ?? [];
    const [verdict, expected = ""] = cellOf(row, "Beklenen").split(" ");
    if (loss === undefined) return `uygun ${verdict === "uygun" ? expected : "?"}`;
    return `zarar ${left?.replace(".", "") ?? cellOf(row, "Fiyat/Stok")}`;
  },
};

describe("the worked examples", () => {
  it("are four hundred", () => {
    expect(EXAMPLES).toHaveLength(400);
  });

  it("come out as calculated by hand", () => {
    const wrong = EXAMPLES.map((row) => ({
      example: row.join(";"),
      result: CALCULATIONS[cellOf(row, "Tür")]?.(row),
      expected: cellOf(row, "Beklenen"),
    })).filter(({ result, expected }) => result !== expected);

    expect(wrong).toEqual([]);
  });
});
