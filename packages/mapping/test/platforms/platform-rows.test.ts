import { describe, expect, it } from "vitest";

import type { MappedRow } from "../../src/rows/row-work.ts";
import { mapVariants, type VariantSheet } from "../helpers/join-sheet.ts";
import { brief, mapOne } from "../helpers/map-sheet.ts";

it.each([
  ["ebay", "Custom label (SKU)|Condition ID", "1000", "new"],
  ["ebay", "Custom label (SKU)|Condition ID", "3000", "used"],
  ["ebay", "CustomLabel|*ConditionID", 4000, "used"],
  ["ebay", "CustomLabel|*ConditionID", "2500", "E_VALUE_UNKNOWN"],
  ["amazon", "seller-sku|item-condition", "11", "new"],
  ["amazon", "seller-sku|item-condition", "3", "used"],
  ["amazon", "seller-sku|item-condition", "10", "E_VALUE_UNKNOWN"],
  ["facebook", "sku|condition", "used_like_new", "used"],
  ["google-merchant", "sku|condition", "refurbished", "E_VALUE_UNKNOWN"],
  ["prestashop", "Reference #|Condition", "used", "used"],
  ["prestashop", "Reference #|Condition", "3000", "E_VALUE_UNKNOWN"],
])(
  "the words of a platform for a condition are read in its files only: %s %s %s",
  async (platform, header, text, expected) => {
    const { changes, issues } = await mapOne(header, ["K1", text], { platform });

    expect(changes.product_condition ?? brief(issues)[0]?.split(" ")[1]).toBe(expected);
  },
);

const NOW_MS = Date.UTC(2026, 10, 27, 9);

/** What a row sends as its price and discount, or the codes of what is wrong with it. */
const priced = ({ changes, issues }: MappedRow): unknown =>
  issues.length > 0 ? brief(issues) : [changes.price, changes.discount_value ?? 0];

describe("a reduced price between two dates", () => {
  const REDUCED = [10_000, 8000];
  const FULL = [10_000, 0];
  const MAGENTO = "sku|price|special_price|special_price_from_date|special_price_to_date";
  const WOO = "SKU|Regular price|Sale price|Date sale price starts|Date sale price ends";

  it.each([
    ["magento", MAGENTO, ["", ""], { sent: REDUCED, warned: [] }],
    [
      "magento",
      MAGENTO,
      ["2017-01-01 00:00:00", "2017-02-02 00:00:00"],
      { sent: FULL, warned: ["W_SALE_PERIOD"] },
    ],
    ["magento", MAGENTO, ["2017-01-01 00:00:00", ""], { sent: REDUCED, warned: [] }],
    [
      "magento",
      MAGENTO,
      ["3/5/16, 5:00 PM", "3/5/30"],
      { sent: REDUCED, warned: ["W_SALE_PERIOD"] },
    ],
    ["magento", MAGENTO, ["11/12/26", ""], { sent: ["D2 E_SALE_DATE"], warned: [] }],
    [
      "woocommerce",
      WOO,
      ["2017-01-01", "2030-01-01"],
      { sent: REDUCED, warned: ["W_SALE_PERIOD"] },
    ],
    ["woocommerce", WOO, ["2026-12-01", "2026-12-31"], { sent: FULL, warned: ["W_SALE_PERIOD"] }],
    // The last day counts whole, in Turkish time.
    ["woocommerce", WOO, ["", "2026-11-27"], { sent: REDUCED, warned: ["W_SALE_PERIOD"] }],
    ["woocommerce", WOO, ["", "2026-11-26"], { sent: FULL, warned: ["W_SALE_PERIOD"] }],
    ["woocommerce", WOO, ["27.11.2026 11:59", ""], { sent: REDUCED, warned: [] }],
    ["woocommerce", WOO, ["27.11.2026 12:01", ""], { sent: FULL, warned: ["W_SALE_PERIOD"] }],
    ["woocommerce", WOO, ["2026-11-27T09:01:00Z", ""], { sent: FULL, warned: ["W_SALE_PERIOD"] }],
    ["woocommerce", WOO, ["", "soon"], { sent: ["E2 E_SALE_DATE"], warned: [] }],
    ["woocommerce", WOO, ["", "2026-02-31"], { sent: ["E2 E_SALE_DATE"], warned: [] }],
  ])("is read by them: %s %s %j", async (platform, header, dates, { sent: reads, warned }) => {
    const cells = ["K1", "100", "80", ...dates];

    const row = await mapOne(header, cells, { platform, nowMs: NOW_MS });

    expect(priced(row)).toEqual(reads);
    expect(row.warnings.map(({ code }) => code)).toEqual(warned);
  });

  it.each([
    ["2026-01-01T00:00+0300/2026-12-31T23:59+0300", REDUCED],
    ["2017-12-01T0:00-23:59/2017-12-31T0:00-23:59", FULL],
    ["2026-12-01/2026-12-31", FULL],
    ["sometime", ["D2 E_SALE_DATE"]],
  ])("is read by a span of both: %s", async (span, reads) => {
    const row = await mapOne(
      "sku|price|sale_price|sale_price_effective_date",
      ["K1", "100 TRY", "80 TRY", span],
      { platform: "google-merchant", nowMs: NOW_MS },
    );

    expect(priced(row)).toEqual(reads);
  });

  it("is not limited by a column that a person leaves out", async () => {
    const overrides = new Map([["Date sale price ends", "-"]]);
    const cells = ["K1", "100", "80", "", "2017-01-01"];

    const row = await mapOne(WOO, cells, { platform: "woocommerce", nowMs: NOW_MS, overrides });

    expect(priced(row)).toEqual(REDUCED);
  });

  it("is not needed where the price is not reduced", async () => {
    const cells = ["K1", "100", "", "soon", "soon"];

    expect(priced(await mapOne(WOO, cells, { platform: "woocommerce" }))).toEqual([10_000, 0]);
  });

  it("is refused by a mapper that knows no time", async () => {
    const cells = ["K1", "100", "80", "2017-01-01", ""];

    expect(priced(await mapOne(WOO, cells, { platform: "woocommerce" }))).toEqual([
      "D2 E_SALE_DATE",
    ]);
  });
});

describe("a price without tax", () => {
  const TICIMAX = "STOKKODU|SATISFIYATI|KDVORANI|KDVDAHIL";

  it.each([
    ["ticimax", TICIMAX, ["20", "1"], [10_000, 0]],
    ["ticimax", TICIMAX, ["20", ""], [10_000, 0]],
    ["ticimax", TICIMAX, ["20", "0"], ["B2 E_PRICE_TAX"]],
    ["ticimax", TICIMAX, ["20", "Hayır"], ["B2 E_PRICE_TAX"]],
    ["ticimax", TICIMAX, ["0", "0"], [10_000, 0]],
    ["ideasoft", "stockCode|price1|tax|taxIncluded", ["20", "0"], ["B2 E_PRICE_TAX"]],
  ])("is refused row by row: %s %s %j", async (platform, header, tax, reads) => {
    expect(priced(await mapOne(header, ["K1", "100", ...tax], { platform }))).toEqual(reads);
  });

  it.each([
    ["SATISFIYATI", "price"],
    ["KDVDAHIL", "-"],
  ])("is not sent by an answer about one column: %s", async (header, to) => {
    const how = { platform: "ticimax", overrides: new Map([[header, to]]) };

    expect(priced(await mapOne(TICIMAX, ["K1", "100", "20", "0"], how))).toEqual([
      "B2 E_PRICE_TAX",
    ]);
  });
});

describe("a listing that has its variations in one row", () => {
  const ETSY = "SKU|PRICE|VARIATION 1 TYPE";

  it.each([
    [["K1", "10", ""], []],
    [["K1,K2,K3", "10", "Size"], ["A2 E_CODE_LIST"]],
    [["K1,K2", "10", ""], ["A2 E_CODE_LIST"]],
    [["K1", "10", "Size"], ["A2 E_CODE_LIST"]],
  ])("is refused without hiding other rows: %j", async (cells, expected) => {
    expect(brief((await mapOne(ETSY, cells, { platform: "etsy" })).issues)).toEqual(expected);
  });

  it("is refused with many codes whatever a person answers about the column", async () => {
    const codes = Array.from({ length: 200 }, (_, at) => `KOD-${at}`).join(",");
    const overrides = new Map([
      ["SKU", "product_code"],
      ["VARIATION 1 TYPE", "-"],
    ]);

    const row = await mapOne(ETSY, [codes, "10", "Size"], { platform: "etsy", overrides });

    expect(brief(row.issues)).toEqual(["A2 E_CODE_LIST"]);
    expect(row.code).toBeUndefined();
  });

  it("is one product where a person leaves the column of variations out", async () => {
    const overrides = new Map([["VARIATION 1 TYPE", "-"]]);

    const row = await mapOne(ETSY, ["K1", "10", "Size"], { platform: "etsy", overrides });

    expect(row).toMatchObject({ code: "K1", issues: [] });
  });
});

const sent = ({ changes, issues }: MappedRow): unknown =>
  issues.length > 0
    ? brief(issues)
    : [changes.has_discount, changes.discount_type, changes.discount_value];

describe("a discount in columns of several kinds", () => {
  const PRESTASHOP = "Reference #|Price tax included|Discount amount|Discount percent";
  it.each([
    [
      ["15", ""],
      [true, 1, 1500],
    ],
    [
      ["", "20"],
      [true, 2, 20],
    ],
    [
      ["0.00", "20"],
      [true, 2, 20],
    ],
    [
      ["15.00", "0"],
      [true, 1, 1500],
    ],
    [
      ["0", "0"],
      [false, undefined, undefined],
    ],
    [
      ["", ""],
      [undefined, undefined, undefined],
    ],
    [["15", "20"], ["D2 E_DISCOUNT"]],
  ])("is the one that a row gives: %j", async (discounts, expected) => {
    const cells = ["K1", "100", ...discounts];

    expect(sent(await mapOne(PRESTASHOP, cells, { platform: "prestashop" }))).toEqual(expected);
  });

  it.each([
    ["Ürün Kodu|Fiyat|İndirim Tutarı|İndirim Oranı", ["15", ""], [true, 1, 1500]],
    ["Ürün Kodu|Fiyat|İndirim Tutarı|İndirim Oranı", ["", "20"], [true, 2, 20]],
    ["Ürün Kodu|Fiyat|İndirim Oranı|İndirim Değeri", ["20", ""], [undefined, undefined, undefined]],
  ])("is read so in files of no platform: %s %j", async (header, discounts, expected) => {
    expect(sent(await mapOne(header, ["K1", "100", ...discounts]))).toEqual(expected);
  });

  it("ends with its dates", async () => {
    const row = await mapOne(
      `${PRESTASHOP}|Discount from (yyyy-mm-dd)|Discount to (yyyy-mm-dd)`,
      ["K1", "100", "", "20", "2026-01-01", "2026-02-01"],
      { platform: "prestashop", nowMs: NOW_MS },
    );

    expect(sent(row)).toEqual([false, undefined, undefined]);
  });
});

describe("the stock in several columns", () => {
  const overrides = new Map([
    ["Stok:Merkez", "stock"],
    ["Stok:Mağaza", "stock"],
  ]);

  it.each([
    [[3, 4], 7],
    [["3", ""], 3],
    [["", "4"], 4],
    [["", ""], undefined],
    [["3", "x"], ["C2 E_NOT_A_NUMBER"]],
    [["3", "-1"], ["C2 E_STOCK_NEGATIVE"]],
  ])("is the sum of those that a person adds up: %j", async (stocks, expected) => {
    const header = "SKU|Stok:Merkez|Stok:Mağaza";

    const row = await mapOne(header, ["K1", ...stocks], { platform: "ikas", overrides });

    expect(row.issues.length > 0 ? brief(row.issues) : row.changes.stock_count).toEqual(expected);
  });
});

/** What each row of a file of variants sends: its title, price, discount and stock. */
async function mapAll(sheet: VariantSheet): Promise<readonly unknown[]> {
  const rows = await mapVariants(sheet);
  return rows.map(({ action, changes, issues }) => {
    if (action === "skip") return "skip";
    if (issues.length > 0) return brief(issues);
    const {
      title,
      price,
      has_discount: isReduced,
      discount_value: value,
      stock_count: stock,
    } = changes;
    return [title, price, isReduced === false ? 0 : value, stock].filter(
      (each) => each !== undefined,
    );
  });
}

describe("rows that are whole by themselves", () => {
  it("are not sent where they are parents of other rows", async () => {
    const rows = [
      "TEE-S|simple|Tee S|68",
      "TEE-M|virtual|Tee M|68",
      "TEE|configurable|Tee|68",
      "SET|Bundle|Set|90",
      "ALL|grouped|All|",
    ];

    expect(
      await mapAll({ platform: "magento", header: "sku|product_type|name|price", rows }),
    ).toEqual([["Tee S", 6800], ["Tee M", 6800], "skip", "skip", "skip"]);
  });

  it("have their options in the title, once, and take nothing from other rows", async () => {
    const header = "SKU|İsim|Satış Fiyatı|Resim URL|Varyant Değer 1|Varyant Değer 2";
    const image = "https://img.example.com/1.jpg";
    const rows = [
      `G-1|Gözlük|100|${image}|Siyah|S`,
      "G-2|Gözlük|100||Mavi|",
      "G-3|Gözlük Mavi|100||mavi|M",
      "G-4|Çanta|50||| ",
    ];

    const mapped = await mapVariants({ platform: "ikas", header, rows });

    expect(mapped.map(({ changes }) => changes.title)).toEqual([
      "Gözlük Siyah S",
      "Gözlük Mavi",
      "Gözlük Mavi M",
      "Çanta",
    ]);
    expect(mapped.map(({ changes }) => changes.images)).toEqual([
      [image],
      undefined,
      undefined,
      undefined,
    ]);
  });
});

describe("an export of Wix", () => {
  const header =
    "handleId|fieldType|name|sku|price|surcharge|discountMode|discountValue|inventory|productOptionDescription1";

  it("has the price of each variant, its surcharge included, and the discount of its product", async () => {
    const rows = [
      "p1|Product|Print||10||PERCENT|0||5x7;8x10",
      "p1|Variant||P-57||0|||10|5x7",
      "p1|Variant||P-810||5.50|||4|8x10",
      "p2|Product|Mug|M-1|20||PERCENT|10|7|",
      "p3|Product|Bag|B-1|30||AMOUNT|5|7|",
      "p4|Product|Hat|H-1|40|||5|7|",
    ];

    expect(await mapAll({ platform: "wix", header, rows })).toEqual([
      "skip",
      ["Print 5x7", 1000, 0, 10],
      ["Print 8x10", 1550, 0, 4],
      ["Mug", 2000, 10, 7],
      ["Bag", 3000, 500, 7],
      ["H7 E_DISCOUNT"],
    ]);
  });

  it("refuses a variant whose surcharge is no amount", async () => {
    const rows = ["p1|Product|Print||10|||||", "p1|Variant||P-57||much|||10|5x7"];

    expect(await mapAll({ platform: "wix", header, rows })).toEqual([
      "skip",
      ["F3 E_NOT_A_NUMBER"],
    ]);
  });
});

it("the images of a listing of Etsy are those of all ten columns", async () => {
  const headers = Array.from({ length: 10 }, (_, at) => `IMAGE${at + 1}`);
  const images = headers.map((header) => `https://img.example.com/${header}.jpg`);
  const header = `SKU|${headers.join("|")}`;

  const all = await mapOne(header, ["K1", ...images], { platform: "etsy" });
  const last = await mapOne(header, ["K1", ...images.map((image, at) => (at < 9 ? "" : image))], {
    platform: "etsy",
  });

  expect(all.changes.images).toEqual(images);
  expect(last.changes.images).toEqual(images.slice(9));
});

describe("an image row of Shopify", () => {
  const header =
    "Handle|Title|Option1 Value|Variant SKU|Variant Price|Image Src|Image Position|Status";

  it("is one although it repeats the status of its product", async () => {
    const rows = [
      "bed|Bed|Twin|BED-T|1930|https://img.example.com/1.jpg|1|active",
      "bed|||||https://img.example.com/2.jpg|2|active",
    ];

    const [product, image] = await mapVariants({ platform: "shopify", header, rows });

    expect(image).toMatchObject({ action: "skip", issues: [] });
    expect(product?.changes.images).toEqual([
      "https://img.example.com/1.jpg",
      "https://img.example.com/2.jpg",
    ]);
  });
});
