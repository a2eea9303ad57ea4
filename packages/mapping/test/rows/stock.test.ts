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

  it.each(["discontinued", "preorder", "backorder", "Out Of Stock", "mark_as_sold"])(
    "takes none where it is only ordered in advance or no more: %s",
    async (availability) => {
      const { rows } = await mapSheet({
        platform: "google-merchant",
        header: "id|availability",
        overrides: new Map([["id", "product_code"]]),
        rows: [["A", availability]],
        constants: new Map([["stock", "10"]]),
      });

      expect(rows.flatMap(({ issues }) => brief(issues))).toEqual(["B2 E_STOCK_STATE"]);
    },
  );

  it.each([
    ["facebook", "id|quantity_to_sell_on_facebook|availability", ["A", "5", "out of stock"]],
    ["woocommerce", "SKU|Stock|In stock?", ["A", "5", "0"]],
    ["magento", "sku|qty|is_in_stock", ["A", "5.0000", "0"]],
  ])("is refused where it has a number all the same: %s", async (platform, header, cells) => {
    const overrides = new Map([["id", "product_code"]]);
    const { rows } = await mapSheet({ platform, header, rows: [cells], overrides });
    const none = [cells[0] ?? "", "0", cells[2] ?? ""];
    const sold = await mapSheet({ platform, header, rows: [none], overrides });

    expect(rows.flatMap(({ issues }) => brief(issues))).toEqual(["B2 E_STOCK_STATE"]);
    expect(sold.rows.map(({ changes }) => changes.stock_count)).toEqual([0]);
  });

  it("is no error in a file without stocks, which changes none", async () => {
    expect(await mapFeed(new Map())).toEqual([undefined, undefined]);
  });
});

const SHOPIFY =
  "Handle|Title|Option1 Value|Variant SKU|Variant Inventory Tracker|Variant Inventory Qty";

/** The stock of each row, and its issues as an update and as a new product. */
async function mapTracked(
  rows: readonly string[],
  constants: ReadonlyMap<string, string> = new Map(),
): Promise<readonly unknown[]> {
  const { mapper, rows: mapped } = await mapSheet({
    platform: "shopify",
    header: SHOPIFY,
    rows: rows.map((row) => row.split("|")),
    constants,
  });
  return mapped.map((row) => [
    row.changes.stock_count,
    brief(row.issues),
    brief(mapper.missingForAdd(row).filter(({ column }) => column === "Variant Inventory Qty")),
  ]);
}

describe("a product of Shopify whose stock nobody counts", () => {
  it("leaves the stock as it is, and is refused at its cell as a new product", async () => {
    const rows = ["a|Atkı|Default Title|A||0", "b|Bere|Default Title|B||"];

    expect(await mapTracked(rows)).toEqual([
      [undefined, [], ["F2 E_STOCK_STATE"]],
      [undefined, [], ["F3 E_STOCK_STATE"]],
    ]);
  });

  it("says why its number is not taken, and what to write", async () => {
    const { mapper, rows } = await mapSheet({
      platform: "shopify",
      header: SHOPIFY,
      rows: [["a", "Atkı", "Default Title", "A", "", 0]],
    });

    const issues = rows.flatMap((row) => mapper.missingForAdd(row));
    const { message, suggestion } = issues.find(({ cell }) => cell === "F2") ?? {};

    expect(message?.tr).toContain("“Variant Inventory Tracker” boş");
    expect(suggestion?.en).toContain('--map "Variant Inventory Tracker=-"');
  });

  it("has the number that stands there, or that a person gives for all rows", async () => {
    const rows = ["a|Atkı|Default Title|A||5", "b|Bere|Default Title|B||0", "c|Cep|S|C||"];

    expect(await mapTracked(rows, new Map([["stock", "7"]]))).toEqual([
      [5, [], []],
      [7, [], []],
      [7, [], []],
    ]);
  });

  it("is sold out where somebody counts it, or a person leaves the column out", async () => {
    const row = ["a", "Atkı", "Default Title", "A", "", "0"];
    const overrides = new Map([["Variant Inventory Tracker", "-"]]);
    const { rows } = await mapSheet({
      platform: "shopify",
      header: SHOPIFY,
      rows: [row],
      overrides,
    });

    expect(await mapTracked(["a|Atkı|Default Title|A|shopify|0"])).toEqual([[0, [], []]]);
    expect(rows.map(({ changes }) => changes.stock_count)).toEqual([0]);
  });

  it("has only the issue of a cell that is broken", async () => {
    expect(await mapTracked(["a|Atkı|Default Title|A||#REF!"])).toEqual([
      [undefined, ["F2 E_CELL_ERROR"], []],
    ]);
  });
});
