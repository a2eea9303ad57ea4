import { createTestConnection } from "@catalog/connection/testing";
import { FIELDS, mapColumns, VALUE_KEYWORDS } from "@catalog/mapping";
import { openSheet, writeTemplate } from "@catalog/sheets";
import { describe, expect, it } from "vitest";

import { createProductWorkbook, PRODUCT_COLUMNS } from "../../src/templates/product-workbook.ts";

const LANGS = ["tr", "en"] as const;

describe("createProductWorkbook", () => {
  it.each(LANGS)("has every column that an import maps, in %s", (lang) => {
    const { columns } = createProductWorkbook({ path: "a.xlsx", lang });

    expect(new Map(columns.map(({ key, header }) => [key, header]))).toEqual(
      new Map(FIELDS.map((field) => [field.key, field.writtenHeader[lang]])),
    );
    expect(columns).toHaveLength(FIELDS.length);
    expect(PRODUCT_COLUMNS).toEqual(columns.map(({ key }) => key));
    expect(columns.filter(({ note }) => note.trim() === "")).toEqual([]);
  });

  it("has the code and the title first, which stay visible, and the rare columns last", () => {
    const { columns, frozenColumns } = createProductWorkbook({ path: "a.xlsx", lang: "tr" });

    const keys = columns.map(({ key }) => key);
    expect(keys.slice(0, frozenColumns)).toEqual(["product_code", "title"]);
    expect(keys.slice(-2)).toEqual(["action", "product_id"]);
  });

  it.each([
    ["tr", "Örnek: "],
    ["en", "Example: "],
  ] as const)("says in the note of a header what is an example, in %s", (lang, word) => {
    const { columns } = createProductWorkbook({ path: "a.xlsx", lang });

    expect(columns.filter(({ note }) => !note.includes(`\n${word}`))).toEqual([]);
  });

  it("marks the columns that a new product needs", () => {
    const { columns } = createProductWorkbook({ path: "a.xlsx", lang: "tr" });

    expect(columns.filter(({ required }) => required).map(({ key }) => key)).toEqual([
      "product_code",
      "title",
      "sub_title",
      "category",
      "brand",
      "brand_model",
      "description",
      "price",
      "stock",
      "warranty_type",
      "warranty_period",
      "shipping_template",
      "image_1",
    ]);
  });

  it("keeps codes and ids as text, and prices and counts as numbers", () => {
    const { columns } = createProductWorkbook({ path: "a.xlsx", lang: "tr" });
    const kinds = new Map(columns.map(({ key, kind }) => [key, kind]));

    expect(
      ["product_code", "product_id", "price", "list_price", "stock"].map((key) => kinds.get(key)),
    ).toEqual(["text", "text", "price", "price", "integer"]);
  });

  it.each([
    ["tr", ["Garantisiz", "İthalatçı Garantili"], ["Evet", "Hayır"]],
    ["en", ["None", "Importer"], ["Yes", "No"]],
  ] as const)("lists the values of closed lists in %s", (lang, warranties, yesNo) => {
    const { columns, lists } = createProductWorkbook({ path: "a.xlsx", lang });
    const labels = (name: string): string[] =>
      (lists.find((list) => list.name === name)?.values ?? []).map(({ label }) => label);

    const listed = columns.flatMap(({ key, list }) =>
      list === undefined ? [] : [[key, { name: list.name, strict: list.strict }]],
    );
    expect(listed).toEqual(
      [
        "currency",
        "discount_type",
        "warranty_type",
        "warranty_period",
        "condition",
        "custom_order",
        "action",
      ].map((key) => [key, { name: `list_${key}`, strict: true }]),
    );
    expect(lists).toHaveLength(7);
    expect(labels("list_warranty_type").slice(0, 2)).toEqual(warranties);
    expect(labels("list_custom_order")).toEqual(yesNo);
    expect(labels("list_action")).toEqual(VALUE_KEYWORDS.action.map((word) => word[lang]));
  });

  it.each([
    ["tr", "Ürünler", "Açıklamalar", ["Ürün Kodu *", "Evet"]],
    ["en", "Products", "Guide", ["Product Code *", "Yes"]],
  ] as const)("explains each column in %s", (...[lang, dataSheet, guide, code]) => {
    const workbook = createProductWorkbook({ path: "a.xlsx", lang });

    expect(workbook.dataSheet).toBe(dataSheet);
    expect(workbook.guideSheet.name).toBe(guide);
    expect(workbook.guideSheet.rows).toHaveLength(FIELDS.length);
    expect(workbook.guideSheet.rows.find(([header]) => header === code[0])?.slice(0, 2)).toEqual(
      code,
    );
    expect(workbook.meta).toEqual({ kind: "products", version: "1", lang });
  });

  it.each(LANGS)("maps every column when it is imported again in %s", async (lang) => {
    const { folder } = await createTestConnection();
    const path = `${folder}/urunler.xlsx`;
    const rows = [PRODUCT_COLUMNS.map((key) => (key === "product_code" ? "000042" : null))];
    await writeTemplate(createProductWorkbook({ path, lang, rows }));

    await using sheet = await openSheet({ path });
    const [keys, first] = await Array.fromAsync(sheet.rows());
    const mapping = mapColumns({
      sheet: sheet.sheet,
      headerRow: 1,
      header: sheet.header.cells,
      below: keys?.cells,
    });

    expect(mapping).toMatchObject({ hasKeyRow: true, issues: [], warnings: [] });
    expect(mapping.columns.map(({ target }) => target)).toEqual(
      PRODUCT_COLUMNS.map((field) => expect.objectContaining({ kind: "field", field })),
    );
    expect(first).toMatchObject({ row: 3 });
    expect(first?.cells).toContain("000042");
  });
});

const MARKET = {
  category: [{ label: "Ev > Fincan", id: "c-1" }],
  brand: [
    { label: "Bosch [a1f3]", id: "0000a1f3" },
    { label: "Bosch [b2e4]", id: "0000b2e4" },
  ],
  category_brand: [],
  brand_category: [],
  brand_model: [],
  model_brand: [],
  shipping_template: [{ label: "Standart", id: "t-1" }],
  properties: [{ name: "Renk", options: [{ label: "Mavi", id: "o-1" }] }],
  lacksModels: false,
} as const;

describe("a workbook with the lists of a marketplace", () => {
  const workbook = createProductWorkbook({ path: "a.xlsx", lang: "tr", market: MARKET });
  const listOf = (key: string) => workbook.columns.find((column) => column.key === key)?.list;

  it("offers the lists, lets other names be typed, and limits a property to its values", () => {
    const open = { strict: false, prompt: expect.stringContaining("Listeden seçin") };
    expect(listOf("brand")).toMatchObject({ name: "list_brand", ...open });
    expect(listOf("category")).toMatchObject({ name: "list_category", ...open });
    expect(listOf("shipping_template")).toMatchObject({ name: "list_shipping_template", ...open });
    expect(listOf("brand_model")).toBeUndefined();
    expect(listOf("property:Renk")).toMatchObject({ name: "list_property_1", strict: true });
    expect(listOf("warranty_type")?.strict).toBe(true);
  });

  it("offers the models of the row's brand", () => {
    const models = { brand_model: [{ label: "Okka", id: "m-1" }], model_brand: MARKET.brand };
    const { columns, lists } = createProductWorkbook({
      path: "a.xlsx",
      lang: "tr",
      market: { ...MARKET, ...models },
    });

    expect(columns.find(({ key }) => key === "brand_model")?.list).toMatchObject({
      name: "list_brand_model",
      group: { column: "brand", list: "list_model_brand" },
    });
    expect(lists.at(-1)).toEqual({ name: "list_model_brand", values: MARKET.brand });
  });

  it("has a column and a line of the guide for each property", () => {
    expect(workbook.columns.at(-1)).toMatchObject({ header: "Özellik: Renk", required: false });
    expect(workbook.guideSheet.rows.at(-1)?.slice(0, 2)).toEqual(["Özellik: Renk", "Hayır"]);
    expect(workbook.guideSheet.rows).toHaveLength(workbook.columns.length);
  });

  it("states the store, the date and the version of its lists", () => {
    const stamp = { storeId: "s-1", madeAtMs: Date.UTC(2026, 10, 21) };
    const metaOf = (market: typeof MARKET | undefined) =>
      createProductWorkbook({ path: "a.xlsx", lang: "tr", market, stamp }).meta;

    expect(metaOf(MARKET)).toEqual({
      kind: "products",
      version: "1",
      lang: "tr",
      store: "s-1",
      made_at: "2026-11-21T00:00:00.000Z",
      lists: expect.stringMatching(/^[0-9a-f]{16}$/u),
    });
    expect(metaOf(undefined)["lists"]).not.toBe(metaOf(MARKET)["lists"]);
  });
});

it("the stock and price workbook has few columns, and requires the code only", () => {
  const { columns, meta, dataSheet } = createProductWorkbook({
    path: "a.xlsx",
    lang: "tr",
    kind: "stock-price",
    market: MARKET,
  });

  expect(columns.map(({ header }) => header)).toEqual([
    "Ürün Kodu *",
    "Stok",
    "Fiyat",
    "İndirim Tipi",
    "İndirim Değeri",
  ]);
  expect(meta["kind"]).toBe("stock-price");
  expect(dataSheet).toBe("Stok-Fiyat");
});
