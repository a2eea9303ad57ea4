import { describe, expect, it } from "vitest";

import type { CellTrait } from "../../src/source-row.ts";
import { brief, mapOne } from "../helpers/map-sheet.ts";

const FORMULA: Readonly<Record<number, CellTrait>> = { 1: "formula" };

/** The price of a row in minor units, or its issues. */
async function read(
  value: number,
  format: string,
  traits: Readonly<Record<number, CellTrait>> = FORMULA,
): Promise<unknown> {
  const row = await mapOne("SKU|Fiyat", ["K1", value], { formats: { 1: format }, traits });
  return row.issues.length > 0 ? brief(row.issues).join(", ") : row.changes.price;
}

describe("a price that a formula computes", () => {
  it.each([
    [1299.6347, "#,##0.00", 129963],
    [1299.6347, '#,##0.00" TL"', 129963],
    [1299.635, "#,##0.00", 129964],
    [0.1 + 0.2, "0.00", 30],
  ])("is read as the cell displays it where that is two decimals: %s as %s", async (...given) => {
    const [value, format, expected] = given;

    expect(await read(value, format)).toBe(expected);
  });

  it.each([
    [1299.6347, "#,##0", "B2 E_PRICE_PRECISION"],
    [1299.6, "#,##0", "B2 E_CELL_FORMAT"],
    [1299.6347, "0.0", "B2 E_PRICE_PRECISION"],
    [1299.6347, "0.000", "B2 E_PRICE_PRECISION"],
    [1299.6347, "General", "B2 E_PRICE_PRECISION"],
    [0.129_963_47, "0.00%", "B2 E_PRICE_PRECISION"],
    [1_299_634.7, "0.00,", "B2 E_CELL_FORMAT"],
    [0.001, "0.00", "B2 E_PRICE_PRECISION"],
    [1299.6347, '[$$-409]#,##0.00"x"', "B2 E_PRICE_PRECISION"],
  ])("is an issue where the cell displays anything else: %s as %s", async (...given) => {
    const [value, format, expected] = given;

    expect(await read(value, format)).toBe(expected);
  });

  it("is an issue in a cell without a formula", async () => {
    expect(await read(1299.6347, "#,##0.00", {})).toBe("B2 E_PRICE_PRECISION");
  });
});
