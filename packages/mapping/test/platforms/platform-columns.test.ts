import { describe, expect, it } from "vitest";

import { createColumnScan } from "../../src/columns/column-cells.ts";
import type { ColumnMapping } from "../../src/columns/column-mapping.ts";
import { mapColumns } from "../../src/columns/map-columns.ts";
import type { CellValue } from "../../src/source-row.ts";
import { brief } from "../helpers/map-sheet.ts";

type Options = Partial<Parameters<typeof mapColumns>[0]>;

/** Maps the columns of a sheet after its cells have been examined, as a plan does. */
function map(
  header: string,
  rows: readonly (readonly CellValue[])[],
  options: Options = {},
): ColumnMapping {
  const sheet = { sheet: "S", headerRow: 1, header: header.split("|"), ...options };
  const scan = createColumnScan(mapColumns(sheet).watched);
  for (const row of rows) scan.observe(row);
  return mapColumns({ ...sheet, cells: scan.cells });
}

const targets = ({ columns }: ColumnMapping): readonly string[] =>
  columns.map(({ target }) => (target.kind === "field" ? target.field : target.kind));

const WOO = "SKU|Regular price|Sale price|Date sale price starts|Is featured?|Tax class";

describe("a price that is reduced", () => {
  it("is sent as the discounted price, which ends with the regular price alone", () => {
    const mapping = map(WOO, [["K1", "100", "80", "", "0", ""]]);

    expect(targets(mapping).slice(0, 3)).toEqual(["product_code", "price", "discount_value"]);
    expect(mapping.columns[2]?.target).toMatchObject({ discountType: 3 });
    expect(mapping.questions).toEqual([]);
  });

  it("is not asked about for its dates, which are read row by row", () => {
    const mapping = map(WOO, [
      ["K1", "100", "80", "", "0", ""],
      ["K2", "100", "80", "2026-01-01", "0", ""],
    ]);

    expect(mapping.questions).toEqual([]);
    expect(mapping.columns[2]?.target).toMatchObject({ discountType: 3 });
  });
});

describe("prices without tax", () => {
  it("are asked about where OpenCart adds a tax to them", () => {
    const header = "name(tr-tr)|sku|price|image_name|tax_class_id|points|description(tr-tr)";
    const many = Array.from({ length: 300 }, () => ["Kaşık", "S1", "100.0000", "", "0", "0", ""]);
    const taxed = ["Kaşık", "S2", "100.0000", "", "9", "0", ""];

    expect(map(header, many).issues).toEqual([]);
    expect(brief(map(header, many.concat([taxed])).issues)).toEqual(["C1 E_COLUMN_UNSURE"]);
  });

  it("are never the price, whatever the platform", () => {
    const mapping = map("Reference #|Price tax excluded|Active (0/1)|Ecotax|Wholesale price", [
      ["K1", "100", "1", "0", "50"],
    ]);

    expect(targets(mapping)).toEqual([
      "product_code",
      "never-sent",
      "never-sent",
      "never-sent",
      "never-sent",
    ]);
  });
});

describe("ids of other systems", () => {
  const OWN = "5f1a2b3c4d5e6f7a8b9c0d1e";

  it("are left out with one line where no cell looks like an id of the marketplace", () => {
    const mapping = map("ID|SKU|Stok", [
      [17, "K1", 5],
      ["abc-18", "K2", 6],
    ]);

    expect(targets(mapping)).toEqual(["other-id", "product_code", "stock"]);
    expect(brief(mapping.warnings)).toEqual(["A1 W_COLUMN_OTHER_ID"]);
    expect(mapping.warnings[0]?.message.tr).toBe(
      "“ID” sütunu (A: 17 · abc-18) başka bir sistemin numaralarıdır; kullanılmadı.",
    );
  });

  it("are kept where one cell looks like an id, so that the others are reported", () => {
    expect(
      targets(
        map("ID|SKU", [
          ["17", "K1"],
          [OWN, "K2"],
        ]),
      ),
    ).toEqual(["product_id", "product_code"]);
  });

  it("are not missed in an empty column", () => {
    expect(targets(map("Ürün ID|SKU", [["", "K1"]]))).toEqual(["product_id", "product_code"]);
  });

  it("are kept where a person or a machine key says so", () => {
    const overrides = new Map([["ID", "product_id"]]);
    expect(targets(map("ID|SKU", [["17", "K1"]], { overrides }))).toEqual([
      "product_id",
      "product_code",
    ]);
    const below = ["product_id", "product_code"];
    expect(targets(map("Ürün ID|Ürün Kodu", [["17", "K1"]], { below }))).toEqual([
      "product_id",
      "product_code",
    ]);
  });

  it("do not replace a missing product code", () => {
    expect(brief(map("Product ID|Stok", [["17", 5]]).issues)).toEqual(["A1 E_COLUMN_MISSING"]);
  });

  it("are never a category where the platform is known", () => {
    const mapping = map("Kategori ID|Mağaza Ürün Kodu|Katalog ID|Mağaza Notu|Satış Fiyatı", [
      ["1000476", "K1", "9", "", "10"],
    ]);

    expect(mapping.platform?.name).toBe("n11");
    expect(targets(mapping)).toEqual(["other-id", "product_code", "other-id", "note", "price"]);
  });
});

describe("several columns of a platform for one field", () => {
  const OPENCART = "name(tr-tr)|sku|model|image_name|tax_class_id|points|description(tr-tr)";

  it("give it the first that is not empty", () => {
    const used = targets(map(OPENCART, [["Kaşık", "S1", "M1", "", "9", "0", ""]]));
    expect(used.slice(1, 3)).toEqual(["product_code", "unused"]);

    const empty = targets(map(OPENCART, [["Kaşık", "", "M1", "", "9", "0", ""]]));
    expect(empty.slice(1, 3)).toEqual(["unused", "product_code"]);
  });
});

const stocks = (mapping: ColumnMapping): readonly string[] => targets(mapping).slice(1, 3);

describe("the stocks of several warehouses", () => {
  const IKAS = "SKU|Stok:Merkez|Stok:Mağaza|Ürün Grup ID|Varyant ID|Resim URL";
  const answered = (...answers: readonly string[]): ColumnMapping => {
    const overrides = new Map(
      answers.map((to, at) => [["Stok:Merkez", "Stok:Mağaza"][at] ?? "", to]),
    );
    return map(IKAS, [["K1", 3, 4, "a", "b", ""]], { overrides });
  };
  it("are asked about one by one, and none counts before", () => {
    const mapping = answered();

    expect(brief(mapping.issues)).toEqual(["B1 E_COLUMN_UNSURE", "C1 E_COLUMN_UNSURE"]);
    expect(mapping.questions.map(({ choices }) => choices.map(({ map: to }) => to))).toEqual([
      ["stock", "-"],
      ["stock", "-"],
    ]);
    expect(stocks(mapping)).toEqual(["unknown", "unknown"]);
  });

  it("are still asked about where one is decided", () => {
    expect(brief(answered("stock").issues)).toEqual(["C1 E_COLUMN_UNSURE"]);
  });

  it("count together, or alone, as a person answers", () => {
    expect(stocks(answered("stock", "stock"))).toEqual(["stock", "stock"]);
    expect(stocks(answered("stock", "-"))).toEqual(["stock", "unused"]);
    expect(stocks(answered("-"))).toEqual(["unused", "stock"]);
    expect(answered("-").issues).toEqual([]);
  });

  it("are not asked about where only one warehouse has any", () => {
    const mapping = map(IKAS, [["K1", 3, "", "a", "b", ""]]);

    expect(mapping.issues).toEqual([]);
    expect(stocks(mapping)).toEqual(["stock", "unused"]);
  });

  it("do not make a column of another kind a part of the stock", () => {
    const overrides = new Map([["Depo", "stock"]]);
    const header = "SKU|Depo|Handle|Variant Inventory Qty|Variant Price";

    expect(targets(map(header, [["K1", 3, "a", 4, 5]], { overrides })).slice(1, 4)).toEqual([
      "stock",
      "never-sent",
      "unused",
    ]);
  });
});

/** A file of eBay, whose first header names the currency. */
function ebay(currency: string, options: Options = {}): ColumnMapping {
  const action = `*Action(SiteID=X|Country=Y|Currency=${currency}|Version=745)`;
  const header = [action, "CustomLabel", "*StartPrice", "PicURL", "*Quantity"];
  return map("", [["Add", "K1", "12.50", "", 5]], { header, ...options });
}

describe("the currency in a header of the platform", () => {
  it("stops a file whose prices would be sent in another one", () => {
    expect(brief(ebay("USD").issues)).toEqual(["C1 E_HEADER_CURRENCY"]);
    expect(brief(ebay("GBP").issues)).toEqual(["C1 E_HEADER_CURRENCY"]);
    expect(ebay("TRY").issues).toEqual([]);
  });

  it("is settled by a constant", () => {
    expect(ebay("USD", { constants: new Map([["currency", "USD"]]) }).issues).toEqual([]);
  });
});

describe("a platform that a person names", () => {
  it("is used whatever the headers are, and none is", () => {
    const header = "SKU|Name|Regular price";

    expect(targets(map(header, [["K1", "x", "5"]], { platform: "woocommerce" }))).toEqual([
      "product_code",
      "title",
      "price",
    ]);
    const none = map(WOO, [["K1", "100", "80", "", "0", ""]], { platform: "none" });
    expect(targets(none).slice(0, 3)).toEqual(["product_code", "unknown", "unknown"]);
    expect(none.platform).toBeUndefined();
  });

  it("is told apart from one that the headers tell", () => {
    expect(map(WOO, []).platform).toEqual({
      name: "woocommerce",
      label: "WooCommerce",
      isGiven: false,
    });
    expect(map(WOO, [], { platform: "woocommerce" }).platform?.isGiven).toBe(true);
  });

  it("loses against the mapping of a person", () => {
    const overrides = new Map([
      ["Regular price", "-"],
      ["Sale price", "price"],
    ]);
    const mapping = map(WOO, [["K1", "100", "80", "", "0", ""]], { overrides });

    expect(targets(mapping).slice(0, 3)).toEqual(["product_code", "unused", "price"]);
  });
});

describe("several image columns with one header", () => {
  it("become the images in their order", () => {
    const mapping = map("SKU|Görsel|Görsel|Görsel", [["K1", "a", "b", "c"]]);

    expect(mapping.issues).toEqual([]);
    expect(targets(mapping)).toEqual(["product_code", "image_1", "image_2", "image_3"]);
  });

  it("take the numbers that no other column has", () => {
    const mapping = map("SKU|Resim 2|Image URL|Image URL|Resimler", [["K1"]]);

    expect(targets(mapping)).toEqual(["product_code", "image_2", "image_1", "image_3", "images"]);
  });

  it("stay unknown beyond the eighth image", () => {
    const header = `SKU|${Array.from({ length: 9 }, () => "Görsel").join("|")}`;

    const mapping = map(header, [["K1"]]);

    expect(mapping.issues).toEqual([]);
    expect(targets(mapping).slice(8)).toEqual(["image_8", "unknown"]);
  });

  it("are left out together where a person leaves their header out", () => {
    const overrides = new Map([["Görsel", "-"]]);
    const mapping = map("SKU|Görsel|Görsel", [["K1"]], { overrides });

    expect(mapping.issues).toEqual([]);
    expect(targets(mapping)).toEqual(["product_code", "unused", "unused"]);
  });
});

const asked = ({ questions }: ColumnMapping): readonly string[] =>
  questions.map(({ header, issue }) => `${header}: ${issue.code}`);

it.each([
  ["0", []],
  ["", []],
  ["10", ["price1: E_COLUMN_UNSURE"]],
])("a price of IdeaSoft is asked about where a row has a rebate: %j", (rebate, expected) => {
  const header = "stockCode|label|price1|rebate|rebateType|stockAmount";

  expect(asked(map(header, [["K1", "Cup", "100", rebate, "1", "5"]]))).toEqual(expected);
});

describe("a column of codes that is empty in every row", () => {
  const SHOPIFY = "Handle|Title|Variant SKU|Variant Price|Variant Barcode|Image Src";

  it("is called empty, and one other column is proposed", () => {
    const mapping = map(SHOPIFY, [
      ["oak-chair", "Chair", "", "89.90", "", ""],
      ["oak-table", "Table", "", "189.90", "", ""],
    ]);

    expect(asked(mapping)).toEqual(["Handle: E_COLUMN_UNSURE"]);
    expect(mapping.issues[0]?.message.en).toBe(
      "“Variant SKU”, by which products are known, is empty in every row; “Handle” (A: oak-chair · oak-table) may serve as the product code.",
    );
    expect(mapping.issues[0]?.suggestion?.en).toContain('--map "Handle=Product Code"');
  });

  it("is replaced by the bar codes where there are any", () => {
    const rows = [["oak-chair", "Chair", "", "89.90", "8690000000017", ""]];

    expect(asked(map(SHOPIFY, rows))).toEqual(["Variant Barcode: E_COLUMN_UNSURE"]);
  });

  it.each([
    [
      "some row has a code",
      [
        ["a", "x", "", "1", "", ""],
        ["b", "y", "K2", "1", "", ""],
      ],
      {},
    ],
    [
      "a person has chosen the column",
      [["a", "x", "", "1", "", ""]],
      { "Variant SKU": "product_code" },
    ],
    ["a person leaves the other column out", [["a", "x", "", "1", "", ""]], { Handle: "-" }],
    ["the file has no rows", [], {}],
  ])("is not asked about where %s", (_, rows, answers) => {
    const overrides = new Map<string, string>(Object.entries(answers));

    expect(map(SHOPIFY, rows, { overrides }).issues).toEqual([]);
  });

  it("is read from the other column once a person says so", () => {
    const overrides = new Map([["Handle", "product_code"]]);
    const mapping = map(SHOPIFY, [["a", "x", "", "1", "", ""]], { overrides });

    expect(targets(mapping).slice(0, 3)).toEqual(["product_code", "title", "unused"]);
    expect(mapping.issues).toEqual([]);
  });

  it("is not asked about where nothing else may be a code, or rows have ids", () => {
    const etsy = "TITLE|PRICE|CURRENCY_CODE|MATERIALS|VARIATION 1 TYPE|SKU";
    expect(map(etsy, [["Kupa", "10", "USD", "", "", ""]]).issues).toEqual([]);

    const own = map("Ürün ID|Ürün Kodu|Barkod", [
      ["5f1a2b3c4d5e6f7a8b9c0d1e", "", "8690000000017"],
    ]);
    expect(own.issues).toEqual([]);
  });
});
