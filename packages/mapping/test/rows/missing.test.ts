import { endpoints } from "@catalog/contract";
import { expect, it } from "vitest";

import { completeAdd } from "../../src/rows/simple-values.ts";
import type { CellValue } from "../../src/source-row.ts";
import { BRAND, id, SPOON } from "../helpers/catalog.ts";
import { brief, mapSheet } from "../helpers/map-sheet.ts";

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
  return rows.flatMap((row) => mapper.missingForAdd(row));
};

it("finds nothing missing in a complete row, and makes its add body", async () => {
  const { mapper, rows } = await mapSheet({ header: HEADER, rows: [FULL] });
  const bodies = rows.map((row) => completeAdd(row));

  expect(rows.flatMap((row) => mapper.missingForAdd(row))).toEqual([]);
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
    .flatMap((row) => sheet.mapper.missingForAdd(row))
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
  expect(rows.flatMap((row) => mapper.missingForAdd(row))).toEqual([]);
});

it("makes no add body with issues or a missing field", async () => {
  const { rows } = await mapSheet({ header: HEADER, rows: [FULL.with(8, "x"), FULL.with(8, "")] });

  expect(rows.map((row) => completeAdd(row))).toEqual([undefined, undefined]);
});

it("ignores a blank constant, and trims any other", async () => {
  const constants = new Map([
    ["sub_title", " "],
    ["brand_model", " Klasik 40 "],
  ]);
  const cells = FULL.map((cell, index) => (index === 2 || index === 5 ? null : cell));

  const { mapper, rows } = await mapSheet({ header: HEADER, rows: [cells], constants });

  expect(rows[0]?.changes.brand_model).toBe("Klasik 40");
  expect(brief(rows.flatMap((row) => mapper.missingForAdd(row)))).toEqual(["C2 E_REQUIRED"]);
});
