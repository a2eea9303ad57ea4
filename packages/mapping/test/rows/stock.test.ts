import { describe, expect, it } from "vitest";

import { mapVariants, type VariantSheet } from "../helpers/join-sheet.ts";
import { brief, mapSheet } from "../helpers/map-sheet.ts";

const WOO = "ID|Type|SKU|Name|In stock?|Stock|Parent";

async function mapStocks(
  rows: readonly string[],
  more: Partial<VariantSheet> = {},
): Promise<readonly unknown[]> {
  const mapped = await mapVariants({ platform: "woocommerce", header: WOO, rows, ...more });
  return mapped.map(({ changes, issues }) =>
    issues.length > 0 ? brief(issues) : changes.stock_count,
  );
}

describe("the stock of a variation of WooCommerce", () => {
  it("is refused where it is that of its parent, and named with the parent's row", async () => {
    const rows = ["1|variable|K|Kazak|1|10|", "2|variation|K-S|Kazak S|1|parent|K"];

    const [, variation] = await mapVariants({ platform: "woocommerce", header: WOO, rows });

    expect(brief(variation?.issues ?? [])).toEqual(["F3 E_STOCK_STATE"]);
    expect(variation?.issues[0]?.message.tr).toContain("2. satır");
    expect(variation?.issues[0]?.message.en).toContain("row 2");
    expect(variation?.changes.stock_count).toBeUndefined();
  });

  it("is its own number, whatever its parent has", async () => {
    const rows = ["1|variable|K|Kazak|0||", "2|variation|K-S|Kazak S|1|4|K"];

    expect(await mapStocks(rows)).toEqual([undefined, 4]);
  });
});

describe("a product of WooCommerce that has no number of its stock", () => {
  it("is refused at the cell of the stock where it says that there is none", async () => {
    const [row] = await mapVariants({
      platform: "woocommerce",
      header: WOO,
      rows: ["1|simple|A|Atkı|0||"],
    });

    expect(row?.issues.map(({ code, cell, column }) => [code, cell, column])).toEqual([
      ["E_STOCK_STATE", "F2", "Stock"],
    ]);
    expect(row?.issues[0]?.message.tr).toContain("“In stock?”: 0");
  });

  it("leaves the stock as it is where it says that there is some", async () => {
    const rows = ["1|simple|A|Atkı|1||", "2|simple|B|Bere|backorder||"];

    expect(await mapStocks(rows)).toEqual([undefined, undefined]);
  });

  it("takes no stock for all rows where it says that there is none", async () => {
    const rows = ["1|simple|A|Atkı|0||", "2|simple|B|Bere|1||", "3|simple|C|Cep|0|0|"];
    const constants = new Map([["stock", "10"]]);

    expect(await mapStocks(rows, { constants })).toEqual([["F2 E_STOCK_STATE"], 10, 0]);
  });

  it("is told by a formula without a result as well, which has its own issue only", async () => {
    const rows = [["1", "simple", "A", "Atkı", "0", "=B7", ""]];
    const traits = { 2: { 5: "formula" } } as const;

    expect(await mapStocks([], { rows, traits })).toEqual([["F2 E_FORMULA"]]);
  });
});

async function mapFeed(constants: ReadonlyMap<string, string>): Promise<readonly unknown[]> {
  const { rows } = await mapSheet({
    platform: "facebook",
    header: "id|title|availability",
    overrides: new Map([["id", "product_code"]]),
    rows: [
      ["A", "Atkı", "out of stock"],
      ["B", "Bere", "in stock"],
    ],
    constants,
  });
  return rows.map(({ changes, issues }) =>
    issues.length > 0 ? brief(issues) : changes.stock_count,
  );
}

describe("an item of a feed that is out of stock", () => {
  it("takes no stock for all rows", async () => {
    expect(await mapFeed(new Map([["stock", "10"]]))).toEqual([["C2 E_STOCK_STATE"], 10]);
  });

  it("is no error in a file without stocks, which changes none", async () => {
    expect(await mapFeed(new Map())).toEqual([undefined, undefined]);
  });
});
