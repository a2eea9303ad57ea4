import fc from "fast-check";
import { describe, expect, it } from "vitest";

import { mapColumns } from "../../src/columns/map-columns.ts";
import type { SourceRow } from "../../src/source-row.ts";
import { createVariantTitles } from "../../src/variants/row-joiner.ts";
import { joinSheet, mapVariants, toRows, type VariantSheet } from "../helpers/join-sheet.ts";
import { brief } from "../helpers/map-sheet.ts";

const SHOPIFY =
  "Handle|Title|Body (HTML)|Option1 Value|Option2 Value|Variant SKU|Variant Price|Variant Inventory Qty|Image Src|Image Position|Variant Image";

const shirts = [
  "tisort|Tişört|<p>Pamuk</p>|Kırmızı|M|T-1|100|5|https://o.example/1.jpg|1|",
  "tisort|||Kırmızı|L|T-2|110|6|https://o.example/2.jpg|2|https://o.example/k.jpg",
  "tisort||||||||https://o.example/3.jpg|3|",
  "kupa|Kupa|<p>Porselen</p>|Default Title||K-1|50|9|https://o.example/4.jpg|1|",
];

const shopify = (rows: readonly string[], more = {}) =>
  mapVariants({ platform: "shopify", header: SHOPIFY, rows, ...more });

describe("rows that follow each other", () => {
  it("become a product each, with the values of the first row and their own", async () => {
    const rows = await shopify(shirts);

    expect(rows.map(({ code, action, changes }) => ({ code, action, ...changes }))).toMatchObject([
      {
        code: "T-1",
        title: "Tişört Kırmızı M",
        description: "<p>Pamuk</p>",
        price: 10_000,
        stock_count: 5,
        images: [1, 2, 3].map((n) => `https://o.example/${n}.jpg`),
      },
      {
        code: "T-2",
        title: "Tişört Kırmızı L",
        description: "<p>Pamuk</p>",
        price: 11_000,
        stock_count: 6,
        images: ["k", 1, 2, 3].map((n) => `https://o.example/${n}.jpg`),
      },
      { code: undefined, action: "skip" },
      { code: "K-1", title: "Kupa", images: ["https://o.example/4.jpg"] },
    ]);
    expect(rows.flatMap(({ issues }) => brief(issues))).toEqual([]);
    expect(rows.map(({ warnings }) => brief(warnings))).toEqual([[], [], ["A4 W_IMAGE_ROW"], []]);
  });

  it("keep a title pattern that a person gave", async () => {
    const rows = await shopify(shirts, { variantTitle: "{title} ({option2}) - {option1}" });

    expect(rows.map(({ changes }) => changes.title)).toEqual([
      "Tişört (M) - Kırmızı",
      "Tişört (L) - Kırmızı",
      undefined,
      "Kupa",
    ]);
  });

  it("are lost apart from their first row, and take nothing from another product", async () => {
    const rows = await shopify([
      "tisort|Tişört|||M|T-1|100|5|||",
      "kupa|Kupa|||M|K-1|50|9|||",
      "tisort||||L|T-2|110|6|||",
      "tisort||||||||https://o.example/3.jpg|3|",
      "yok||||L|Y-2|110|6|||",
    ]);

    expect(rows.map(({ issues }) => brief(issues))).toEqual([
      [],
      [],
      ["A4 E_VARIANT_PARENT"],
      ["A5 E_VARIANT_PARENT"],
      ["A6 E_VARIANT_PARENT"],
    ]);
    expect(rows[2]?.issues[0]?.message.tr).toContain("2. satır");
    expect(rows.slice(2).map(({ changes }) => changes)).toEqual([{}, {}, {}]);
  });

  it("are lost below a first row that is not whole", async () => {
    const rows = await shopify(["a|A|||M|T-1|1|5|||", "a||||L|T-2|1|6|||"], { broken: [2] });

    expect(rows.map(({ issues }) => brief(issues))).toEqual([[], ["A3 E_VARIANT_PARENT"]]);
    expect(rows[1]?.issues[0]?.message.tr).toContain("bütünüyle okunamadı");
  });

  it("name the row of the file where a value that they took is wrong", async () => {
    const rows = await mapVariants({
      platform: "shopify",
      header: "Handle|Title|Product Category|Option1 Value|Variant SKU",
      rows: ["a|A|Yok böyle|M|T-1", "a|||L|T-2"],
    });

    expect(rows.map(({ issues }) => brief(issues))).toEqual([
      ["C2 E_CATEGORY_UNKNOWN"],
      ["C2 E_CATEGORY_UNKNOWN"],
    ]);
  });

  it("report an option that became a date, and a variant without a code, at their cells", async () => {
    const [first, second] = toRows(["a|A||3.May|M|T-1|1|5|||", "a|||4|L||1|6|||"]);
    const rows = await mapVariants({
      platform: "shopify",
      header: SHOPIFY,
      rows: [first?.cells ?? [], second?.cells ?? []],
      traits: { 2: { 3: "date" } },
    });

    expect(rows.map(({ issues }) => brief(issues))).toEqual([
      ["D2 E_CELL_DATE"],
      ["F3 E_KEY_MISSING"],
    ]);
  });
});

const WOO = "ID|Type|SKU|Name|Description|Regular price|Stock|Images|Parent|Attribute 1 value(s)";

const woo = (rows: readonly string[]) =>
  mapVariants({ platform: "woocommerce", header: WOO, rows });

describe("variants that name their parent", () => {
  it("take its values by its code or by its id, and the parent is no product", async () => {
    const rows = await woo([
      "1|variable|P-1|Kazak|Yün|||https://o.example/1.jpg||S, M",
      "2|variable||Bere|Keçe||||| ",
      "3|simple|T-9|Atkı|İpek|90|3|||Mavi, Kırmızı",
      "4|variation|P-1-S|Kazak - S||120|4|https://o.example/s.jpg|P-1|S",
      "5|variation|P-1-M|||130|5||P-1|M",
      "6|variation|B-1|Bere||70|8||id:2|Gri",
    ]);

    expect(
      rows.map(({ code, changes: { title, description, images } }) => ({
        code,
        title,
        description,
        images,
      })),
    ).toEqual([
      { code: undefined, title: undefined, description: undefined, images: undefined },
      { code: undefined, title: undefined, description: undefined, images: undefined },
      { code: "T-9", title: "Atkı", description: "İpek", images: undefined },
      {
        code: "P-1-S",
        title: "Kazak - S",
        description: "Yün",
        images: ["https://o.example/s.jpg", "https://o.example/1.jpg"],
      },
      { code: "P-1-M", title: "Kazak M", description: "Yün", images: ["https://o.example/1.jpg"] },
      { code: "B-1", title: "Bere Gri", description: "Keçe", images: undefined },
    ]);
    expect(rows.map(({ action }) => action).slice(0, 3)).toEqual(["skip", "skip", "auto"]);
    expect(rows.flatMap(({ issues }) => brief(issues))).toEqual([]);
  });

  it("are lost where no row above has the name, or two have it", async () => {
    const rows = await woo([
      "4|variation|A|A||1|4||P-1|S",
      "1|variable|P-1|Kazak||||||",
      "2|variable|P-1|Kazak 2||||||",
      "5|variation|B|B||1|4||P-1|S",
      "6|variation|C|C||1|4||3|S",
      "3|simple|3|Düz||1|1|||",
      "7|variation|D|D||1|4||3|S",
      "8|variation|E|E||1|4|||S",
    ]);

    expect(rows.flatMap(({ row, issues }) => issues.map(({ code }) => `${row} ${code}`))).toEqual(
      [2, 5, 6, 8, 9].map((row) => `${row} E_VARIANT_PARENT`),
    );
  });

  it("are found far below their parent", async () => {
    const parents = Array.from({ length: 200 }, (_, n) => `${n}|variable|P-${n}|Ad ${n}||||||`);
    const variants = [0, 7, 199].map((n) => `9${n}|variation|V-${n}|||1|1||P-${n}|S`);

    const rows = await woo([...parents, ...variants]);

    expect(rows.slice(200).map(({ changes }) => changes.title)).toEqual([
      "Ad 0 S",
      "Ad 7 S",
      "Ad 199 S",
    ]);
  });

  it("name only their option in the title where a shop writes it so", async () => {
    const rows = await mapVariants({
      platform: "ideasoft",
      header:
        "stockCode|label|brand|rootProductStockCode|price1|stockAmount|variantValue1|variantValue2",
      rows: [
        "A|Fındık|Doğa|0|100|4||",
        "A-250|250 gr||A|30|4||",
        "A-500|Fındık 500 gr||A|55|4|500 gr|",
        "A-1|Fındık||A|100|4|1 kg|Kavrulmuş",
      ],
    });

    expect(rows.map(({ code, changes: { title } }) => [code, title])).toEqual([
      ["A", "Fındık"],
      ["A-250", "Fındık 250 gr"],
      ["A-500", "Fındık 500 gr"],
      ["A-1", "Fındık 1 kg Kavrulmuş"],
    ]);
    expect(rows.flatMap(({ issues }) => brief(issues))).toEqual(
      Array.from({ length: 4 }, () => "C2 E_BRAND_NEEDS_CATEGORY"),
    );
  });
});

/** Rows whose cells or images a row takes. */
const takenFrom = ({ joined }: SourceRow): readonly number[] =>
  [...Object.values(joined?.cells ?? {}), ...(joined?.images ?? [])].map(({ row }) => row);

describe("the rows of any file", () => {
  const cell = fc.constantFrom("", "a", "b", "c", "id:1", "variable", "variation");
  const rows = fc.array(fc.array(cell, { minLength: 4, maxLength: 4 }), { maxLength: 30 });

  it.each([
    ["shopify", "Handle|Title|Variant SKU|Image Src"],
    ["woocommerce", "ID|Type|SKU|Parent"],
    ["ideasoft", "stockCode|label|rootProductStockCode|picture1Path"],
  ])("of %s leave once each, in their order and as they came", async (platform, header) => {
    await fc.assert(
      fc.asyncProperty(rows, async (cells) => {
        const left = await joinSheet({ platform, header, rows: cells });

        expect(left.map(({ row, cells: own }) => ({ row, cells: own }))).toEqual(toRows(cells));
      }),
    );
  });

  it("take values only from a row that has the text of their group", async () => {
    await fc.assert(
      fc.asyncProperty(rows, async (cells) => {
        const left = await joinSheet({
          platform: "shopify",
          header: "Handle|Title|Variant SKU|Image Src",
          rows: cells,
        });

        const groupOf = (row: number): unknown => cells[row - 2]?.[0];
        for (const row of left) {
          for (const from of takenFrom(row)) expect(groupOf(from)).toBe(groupOf(row.row));
        }
      }),
    );
  });
});

const titlesOf = async (
  header: string,
  row: string,
  how: Partial<VariantSheet> = {},
): Promise<readonly unknown[]> => {
  const mapped = await mapVariants({ platform: "none", header, rows: [row], ...how });
  return mapped.map(({ changes }) => changes.title);
};

describe("variants that are records of a file without a known platform", () => {
  it.each<[header: string, row: string, title: string]>([
    ["../UrunAdi|StokKodu|Renk|Beden", "Tişört|K1|Siyah|M", "Tişört Siyah M"],
    ["../name|sku|color|size", "Shirt|K1|Black|", "Shirt Black"],
    ["../name|@sku|@beden", "Kazak|K1|XL", "Kazak XL"],
    // The title says it already.
    ["../UrunAdi|StokKodu|Renk|Beden", "Siyah Tişört|K1|Siyah|M", "Siyah Tişört M"],
  ])("have their options in their titles: %s %s", async (header, row, title) => {
    expect(await titlesOf(header, row)).toEqual([title]);
  });

  it("take a pattern, and further options that a person names, in their places", async () => {
    const header = "../UrunAdi|StokKodu|Desen|Renk|Beden";
    const row = "Tişört|K1|Çizgili|Siyah|M";
    const overrides = new Map([
      ["Desen", "Seçenek 2"],
      ["Beden", "option1"],
    ]);

    expect(await titlesOf(header, row, { overrides })).toEqual(["Tişört M Çizgili Siyah"]);
    const left = new Map([["Renk", "-"]]);
    const variantTitle = "{option1} {title}";
    expect(await titlesOf(header, row, { overrides: left, variantTitle })).toEqual(["M Tişört"]);
  });

  it("are products by themselves where they have a title of their own", () => {
    const { variantHeaders } = mapColumns({
      sheet: "S",
      headerRow: 0,
      header: ["../Kategori", "StokKodu", "UrunAdi", "Renk"],
    });
    expect(variantHeaders).toEqual(new Set());
  });
});

describe("the title of a variant that lacks an option", () => {
  it.each([
    ["{title} {options}", "Kazak // Unisex -- yeni", ["Mavi", ""], "Kazak // Unisex -- yeni Mavi"],
    ["{title} {options}", "Kazak () | | A,, B", ["", "L -"], "Kazak () | | A,, B L -"],
    ["{title} - {option1}", "Kazak -", ["", "L"], "Kazak -"],
  ])("keeps the signs of its values: %s of %s with %s", (pattern, title, options, expected) => {
    expect(createVariantTitles(pattern)(title, options)).toBe(expected);
  });

  it.each([
    ["{title} ({option1}) - {option2}", ["", "L"], "Kazak - L"],
    ["{title} - {option1} / {option2}", ["Mavi", ""], "Kazak - Mavi"],
    ["{title} - {option1} / {option2}", ["", "L"], "Kazak - L"],
    ["{title}, {option1}, {option2}", ["Mavi", ""], "Kazak, Mavi"],
  ])(
    "loses the signs of the pattern that divide nothing: %s with %s",
    (pattern, options, title) => {
      expect(createVariantTitles(pattern)("Kazak", options)).toBe(title);
    },
  );
});
