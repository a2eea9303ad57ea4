import { describe, expect, it } from "vitest";

import { mapColumns } from "../../src/columns/map-columns.ts";
import { mapOne } from "../helpers/map-sheet.ts";

/** What each column is used for, and which columns are asked about. */
function read(header: string): readonly [targets: readonly string[], asked: readonly string[]] {
  const { columns, questions } = mapColumns({
    sheet: "S",
    headerRow: 0,
    header: header.split("|"),
  });
  const targets = columns.map(({ target }) =>
    target.kind === "field" ? target.field : target.kind,
  );
  return [targets, questions.map((question) => question.header)];
}

describe("a value of the product around a variant", () => {
  it.each([
    ["../sku|sku", ["unused", "product_code"], []],
    ["../price|sku|price", ["unused", "product_code", "price"], []],
    ["../name|sku|price", ["title", "product_code", "price"], []],
    ["../image|sku|image", ["images", "product_code", "image_1"], []],
    ["../Resimler/Resim|sku", ["images", "product_code"], []],
    ["../../Images/Image|sku", ["images", "product_code"], []],
    // Of several products around it the nearest one counts.
    ["../../name|../name|sku", ["unused", "title", "product_code"], []],
    // Whether a reduction holds for the price of the variant, nobody knows.
    ["../list_price|sku|price", ["unknown", "product_code", "price"], ["../list_price"]],
    // The stock of a product may be that of all its variants together.
    ["../stock|sku|price", ["unknown", "product_code", "price"], ["../stock"]],
    ["../stock|sku|stock", ["unused", "product_code", "stock"], []],
  ])("is used where the variant has none: %s", (header, targets, asked) => {
    expect(read(header)).toEqual([targets, asked]);
  });

  it("is the currency of a price that names none", async () => {
    const header = "../currency|sku|price|currency";
    const priced = async (...cells: readonly string[]): Promise<unknown> => {
      const { changes } = await mapOne(header, cells, {});
      return [changes.price, changes.currency];
    };

    expect(await priced("USD", "K1", "10.00", "")).toEqual([1000, "USD"]);
    expect(await priced("USD", "K1", "10.00", "EUR")).toEqual([1000, "EUR"]);
  });

  it("is asked about where variants of T-Soft have prices of another kind", () => {
    const header =
      "../price_special_vat_included|../cat1name|../ws_code|ws_code|stock|price_special";

    expect(read(header)[1]).toContain("../price_special_vat_included");
    expect(read(header.replace("|price_special", ""))[1]).toEqual(["ws_code"]);
  });
});
