import { endpoints } from "@catalog/contract";
import { describe, expect, it } from "vitest";

import type { CellValue } from "../../src/source-row.ts";
import { BRAND, id, SPOON } from "../helpers/catalog.ts";
import { mapVariants, type VariantSheet } from "../helpers/join-sheet.ts";
import { brief, mapOne, mapSheet, missingForAdd } from "../helpers/map-sheet.ts";

describe("warranty", () => {
  const cases: readonly (readonly [string, string, unknown])[] = [
    ["Garantisiz", "0", { warranty_type: 1, warranty_period: 0 }],
    ["İthalatçı", "2 Yıl", { warranty_type: 2, warranty_period: 24 }],
    ["Servis", "", { warranty_type: 4 }],
    ["", "12 Ay", { warranty_period: 12 }],
    ["Garantisiz", "24", ["C2 E_WARRANTY"]],
    ["Tedarikçi", "0 Ay", ["C2 E_WARRANTY"]],
    ["Tedarikçi", "18", ["C2 E_VALUE_UNKNOWN"]],
    ["Ömürlük", "18", ["B2 E_VALUE_UNKNOWN", "C2 E_VALUE_UNKNOWN"]],
  ];
  for (const [type, period, expected] of cases) {
    it(`is as expected for type ${type || "nothing"} and period ${period || "nothing"}`, async () => {
      const row = await mapOne("SKU|Garanti Tipi|Garanti Süresi", ["K1", type, period]);
      const { product_code: _, ...changes } = row.changes;

      expect(row.issues.length > 0 ? brief(row.issues) : changes).toEqual(expected);
    });
  }

  it("is reported at the type when the period is a constant", async () => {
    const constants = new Map([["warranty_period", "0"]]);
    const row = await mapOne("SKU|Garanti Tipi", ["K1", "Servis"], { constants });

    expect(brief(row.issues)).toEqual(["B2 E_WARRANTY"]);
  });
});

const IMAGE = "https://img.example.com";

describe("images", () => {
  const a = "https://example.com/a.jpg";
  const b = "https://example.com/b.jpg";
  const c = "https://example.com/c.jpg";

  it("are sent in the order of their numbers, whatever the order of the columns, then the list", async () => {
    const row = await mapOne("SKU|Görsel 2|Görseller|Görsel 1", ["K1", b, `${c}; ${a}2`, a]);

    expect(row.changes.images).toEqual([a, b, c, `${a}2`]);
  });

  it("are sent once each, with a warning", async () => {
    const row = await mapOne("SKU|Görsel 1|Görsel 2|Görseller", ["K1", a, a, `${b}|${b}`]);

    expect(row.changes.images).toEqual([a, b]);
    expect(brief(row.warnings)).toEqual(["C2 W_IMAGE_TWICE", "D2 W_IMAGE_TWICE"]);
  });

  it("are reported one by one, also within a cell, and not sent in part", async () => {
    const row = await mapOne("SKU|Görsel 1|Görseller", ["K1", a, `x.jpg; http://y.z/1; ${b}`]);

    expect(row.issues.map(({ cell, code, value }) => [cell, code, value])).toEqual([
      ["C2", "E_IMAGE_FILE", "x.jpg"],
      ["C2", "E_IMAGE_URL", "http://y.z/1"],
    ]);
    expect(row.changes.images).toBeUndefined();
  });
});

describe("images given by file name", () => {
  it("are accepted where the caller takes file names, each with its location", async () => {
    const cells = ["K1", "kaşık.jpg", "https://example.com/a.jpg; mutfak/çatal.png"];

    const row = await mapOne("SKU|Görsel 1|Görseller", cells, { takesImageFiles: true });

    expect(brief(row.issues)).toEqual([]);
    expect(
      row.imageFiles.map(({ kind, text, place }) => [kind, text, place.cell, place.value]),
    ).toEqual([
      ["file", "kaşık.jpg", "B2", "kaşık.jpg"],
      ["address", "https://example.com/a.jpg", "C2", "https://example.com/a.jpg"],
      ["file", "mutfak/çatal.png", "C2", "mutfak/çatal.png"],
    ]);
    expect(row.changes.images).toEqual(row.imageFiles.map(({ text }) => text));
  });

  it("are an issue when they are paths", async () => {
    const cells = ["K1", "file:///etc/passwd", "C:\\kaşık.jpg"];

    const row = await mapOne("SKU|Görsel 1|Görsel 2", cells, { takesImageFiles: true });

    expect(brief(row.issues)).toEqual(["B2 E_PATH", "C2 E_PATH"]);
    expect(row.imageFiles).toEqual([]);
  });
});

it("trims texts and otherwise sends them as they are", async () => {
  const header = "SKU|Başlık|Alt Başlık|Açıklama|Not";
  const row = await mapOne(header, ["K1", " Kaşık ", 30, "<p>a</p>\n b", "x"]);

  expect(row.changes).toEqual({
    product_code: "K1",
    title: "Kaşık",
    sub_title: "30",
    description: "<p>a</p>\n b",
  });
});

it("reads booleans of the spreadsheet, and the condition", async () => {
  const row = await mapOne("SKU|Kişiselleştirme|Kondisyon", ["K1", true, "2. el"]);

  expect(row.changes).toEqual({
    product_code: "K1",
    custom_order_input: true,
    product_condition: "used",
  });
});

it("reads stock counts, zero included", async () => {
  expect((await mapOne("SKU|Stok", ["K1", "0"])).changes.stock_count).toBe(0);
  expect(brief((await mapOne("SKU|Stok", ["K1", "12,5"])).issues)).toEqual(["B2 E_NOT_INTEGER"]);
});

it("warns of HTML codes in a title, which is sent as it is written", async () => {
  const header = "Ürün Kodu|Başlık|Alt Başlık|Açıklama";
  const { rows } = await mapSheet({
    header,
    rows: [
      ["K1", "Tava &amp; Kapak", "Ev & Bahçe", "a &amp; b"],
      ["K2", "AT&T kablosu", "R&D;", null],
    ],
  });

  expect(rows.map(({ warnings }) => brief(warnings))).toEqual([["B2 W_TEXT_CODES"], []]);
  expect(rows[0]?.changes.title).toBe("Tava &amp; Kapak");
  expect(rows[0]?.warnings[0]?.suggestion?.tr).toContain("“Tava & Kapak”");
});

describe("a value for all rows", () => {
  const cases: readonly (readonly [string, string, string, readonly string[] | undefined])[] = [
    ["image_1", "Ürün Kodu|Görseller", `${IMAGE}/1.jpg;${IMAGE}/2.jpg`, ["1", "2"]],
    ["image_1", "Ürün Kodu|Görsel 2", `${IMAGE}/1.jpg`, ["1"]],
    ["images", "Ürün Kodu|Görsel 3", `${IMAGE}/1.jpg`, ["1"]],
    ["image_1", "Ürün Kodu|Görseller", "", ["0"]],
    ["images", "Ürün Kodu|Görsel 1", "", ["0"]],
  ];
  it.each(cases)("of %s under %s beside %j gives %j", async (field, header, cell, images) => {
    const constants = new Map([[field, `${IMAGE}/0.jpg`]]);

    const { rows } = await mapSheet({ header, constants, rows: [["A-1", cell]] });

    expect(rows[0]?.changes.images).toEqual(images?.map((name) => `${IMAGE}/${name}.jpg`));
  });

  it("gives no second discount to a row that has one", async () => {
    const constants = new Map([
      ["discount_value", "5"],
      ["discount_type", "1"],
    ]);

    const header = "Ürün Kodu|Fiyat|Piyasa Fiyatı";
    const { rows } = await mapSheet({
      header,
      constants,
      rows: [
        ["A", 10, 20],
        ["B", 10, null],
      ],
    });

    expect(rows.map(({ issues }) => issues)).toEqual([[], []]);
    expect(rows[0]?.changes).toMatchObject({ price: 2000, discount_type: 3, discount_value: 1000 });
    expect(rows[1]?.changes).toMatchObject({ price: 1000, discount_type: 1, discount_value: 500 });
  });
});

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
    brief(missingForAdd(mapper, row).filter(({ column }) => column === "Variant Inventory Qty")),
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

    const issues = rows.flatMap((row) => missingForAdd(mapper, row));
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

const HEADER =
  "Ürün Kodu|Başlık|Alt Başlık|Kategori|Marka|Model|Açıklama|Fiyat|Stok|Garanti Tipi|" +
  "Garanti Süresi|Teslimat Şablonu|Görsel 1|Görsel 2";
const FULL: readonly CellValue[] = [
  "K1",
  "Kaşık",
  "El yapımı",
  "Kaşık",
  "Kuzey Ahşap",
  "Klasik 30",
  "Kayın",
  "129,90",
  "5",
  "Garantisiz",
  "0",
  "Standart Kargo",
  "https://example.com/a.jpg",
  null,
];

const lacks = async (header: string, cells: readonly CellValue[]) => {
  const { mapper, rows } = await mapSheet({ header, rows: [cells] });
  return rows.flatMap((row) => missingForAdd(mapper, row));
};

it("finds nothing missing in a complete row, and makes its add body", async () => {
  const { mapper, rows } = await mapSheet({ header: HEADER, rows: [FULL] });
  const bodies = rows.flatMap((row) => {
    const added = mapper.completeAdd(row);
    return added.ok ? [added.body] : [];
  });

  expect(rows.flatMap((row) => missingForAdd(mapper, row))).toEqual([]);
  expect(bodies).toEqual([
    {
      product_code: "K1",
      title: "Kaşık",
      sub_title: "El yapımı",
      category_id: SPOON,
      brand_id: BRAND.kuzey,
      brand_model: id(0x21),
      description: "Kayın",
      price: 12990,
      stock_count: 5,
      warranty_type: 1,
      warranty_period: 0,
      shipping_template_id: id(0x51),
      images: ["https://example.com/a.jpg"],
      has_discount: false,
    },
  ]);
  expect(endpoints.product.add.input.safeParse(bodies[0]).success).toBe(true);
});

it("reports each empty required cell at its location, where any one image is enough", async () => {
  const cells = FULL.with(1, "").with(8, null).with(12, null).with(13, "https://example.com/b");

  const issues = await lacks(HEADER, cells);

  expect(brief(issues)).toEqual(["B2 E_REQUIRED", "I2 E_REQUIRED"]);
  expect(issues[0]).toMatchObject({ column: "Başlık", value: "" });
  expect(issues[1]?.suggestion?.en).toBe("For example: 25");
});

it("names the store's own names where a name is missing, and where they are listed", async () => {
  const rows = [FULL, FULL.with(3, null).with(4, null).with(11, ""), FULL.with(4, null)];
  const sheet = await mapSheet({ header: HEADER, rows });
  const advice = sheet.rows
    .flatMap((row) => missingForAdd(sheet.mapper, row))
    .map(({ cell, suggestion }) => `${cell} ${suggestion?.tr}`);

  expect(advice).toEqual([
    "D3 Mağazadaki kategorilerden biri: catalog lookup categories",
    'E3 Kategorinin markalarından biri: catalog lookup brands --category "…"',
    "L3 Örneğin: “Standart Kargo”, “Hızlı Kargo”. Mağazadaki şablonların hepsi: catalog lookup templates",
    'E4 Kategorinin markalarından biri: catalog lookup brands --category "Ev > Mutfak > Kaşık"',
  ]);
});

it("reports the first image column when there is no image", async () => {
  expect(brief(await lacks(HEADER, FULL.with(12, null)))).toEqual(["M2 E_REQUIRED"]);
  const header = HEADER.replace("Görsel 1", "Resimler");
  expect(brief(await lacks(header, FULL.with(12, null)))).toEqual(["M2 E_REQUIRED"]);
});

it("reports all missing columns in one issue", async () => {
  const issues = await lacks("Ürün Kodu|Başlık|Fiyat", ["K1", "", "5"]);

  expect(brief(issues)).toEqual(["B2 E_REQUIRED", "A2 E_COLUMN_MISSING"]);
  expect(issues[1]?.message.en).toContain("“Subtitle”, “Category”, “Brand”");
});

it("does not report a wrong cell as missing", async () => {
  const cells = FULL.with(3, "Kaşk").with(7, "x");

  expect(await lacks(HEADER, cells)).toEqual([]);
});

it("does not report the code again on a row without code and id", async () => {
  const { mapper, rows } = await mapSheet({ header: HEADER, rows: [FULL.with(0, "")] });

  expect(rows.map((row) => brief(row.issues))).toEqual([["A2 E_KEY_MISSING"]]);
  expect(rows.flatMap((row) => missingForAdd(mapper, row))).toEqual([]);
});

it("makes no add body with issues or a missing field", async () => {
  const rowsOf = [FULL.with(8, "x"), FULL.with(8, "")];
  const { mapper, rows } = await mapSheet({ header: HEADER, rows: rowsOf });

  expect(rows.map((row) => mapper.completeAdd(row).ok)).toEqual([false, false]);
});

it("ignores a blank constant, and trims any other", async () => {
  const constants = new Map([
    ["sub_title", " "],
    ["brand_model", " Klasik 40 "],
  ]);
  const cells = FULL.map((cell, index) => (index === 2 || index === 5 ? null : cell));

  const { mapper, rows } = await mapSheet({ header: HEADER, rows: [cells], constants });

  expect(rows[0]?.changes.brand_model).toBe("Klasik 40");
  expect(brief(rows.flatMap((row) => missingForAdd(mapper, row)))).toEqual(["C2 E_REQUIRED"]);
});
