import { idSchemas } from "@catalog/contract";
import { describe, expect, it } from "vitest";

import { mapColumns } from "../../src/columns/map-columns.ts";
import type { NameSource } from "../../src/names/name-indexes.ts";
import { createNamesKey } from "../../src/rows/names.ts";
import type { CellValue } from "../../src/source-row.ts";
import { createFakeNames } from "../../src/testing.ts";
import { BRAND, CATEGORIES, createCatalog, id, SPOON } from "../helpers/catalog.ts";
import { brief, mapOne, mapSheet } from "../helpers/map-sheet.ts";

const HEADER = "SKU|Kategori|Marka|Model|Teslimat Şablonu";

const mapNames = async (...cells: readonly CellValue[]): Promise<unknown> => {
  const row = await mapOne(HEADER, ["K1", ...cells]);
  return row.issues.length > 0 ? brief(row.issues) : row.changes;
};

describe("resolving names to ids", () => {
  it("resolves each name within the one before, and returns the names", async () => {
    const row = await mapOne(HEADER, ["K1", "kaşık", "KUZEY AHŞAP", "klasik 30", "hizli kargo"]);

    expect(row.issues).toEqual([]);
    expect(row.changes).toEqual({
      product_code: "K1",
      category_id: SPOON,
      brand_id: BRAND.kuzey,
      brand_model: id(0x21),
      shipping_template_id: id(0x52),
    });
    expect(row.names).toEqual({
      category: "Kaşık",
      brand: "Kuzey Ahşap",
      brandModel: "Klasik 30",
      shippingTemplate: "Hızlı Kargo",
    });
  });

  it.each<readonly [string, readonly CellValue[], readonly string[]]>([
    ["a wrong category once, not its brand", ["Kaşk", "Yok", "Yok"], ["B2 E_CATEGORY_UNKNOWN"]],
    ["a category name with two paths", ["Aksesuar", "Yok"], ["B2 E_CATEGORY_AMBIGUOUS"]],
    ["a category with children", ["Mutfak", "Yok"], ["B2 E_CATEGORY_NOT_LEAF"]],
    ["a wrong brand once, not its model", ["Kaşık", "Yok", id(9)], ["C2 E_BRAND_UNKNOWN"]],
    ["a brand name with two ids", ["Kaşık", "bosch"], ["C2 E_BRAND_AMBIGUOUS"]],
    [
      "a brand name that two brands match after folding",
      ["Kaşık", "Isüzu"],
      ["C2 E_BRAND_AMBIGUOUS"],
    ],
    ["a brand without a category", ["", "Isuzu"], ["C2 E_BRAND_NEEDS_CATEGORY"]],
    ["an id that is not listed", ["Kaşık", id(0xff)], ["C2 E_BRAND_UNKNOWN"]],
    ["a model's id that is not listed", ["Kaşık", "Kuzey Ahşap", id(9)], ["D2 E_MODEL_UNKNOWN"]],
    ["an unknown template", ["", "", "", "Ekspres"], ["E2 E_TEMPLATE_UNKNOWN"]],
    [
      "a wrong category and a wrong template",
      ["Kaşk", "", "", "Ekspres"],
      ["B2 E_CATEGORY_UNKNOWN", "E2 E_TEMPLATE_UNKNOWN"],
    ],
  ])("reports %s", async (name, cells, expected) =>
    expect(await mapNames(...cells)).toEqual(expected),
  );

  it("accepts a brand's id without a category", async () => {
    expect(await mapNames("", BRAND.isuzu)).toMatchObject({ brand_id: BRAND.isuzu });
  });

  it("sends a model that is not listed as it was typed", async () => {
    expect(await mapNames("Kaşık", "Kuzey Ahşap", " Yeni 40 ")).toMatchObject({
      brand_model: "Yeni 40",
    });
    expect(await mapNames("", "", "Yeni 40")).toEqual({
      product_code: "K1",
      brand_model: "Yeni 40",
    });
  });

  it("warns of a model that a slip keeps from being a listed one, and sends it as free text", async () => {
    const row = await mapOne(HEADER, ["K1", "Kaşık", "Kuzey Ahşap", "Klasık Serri 30", ""], {
      names: createCatalog("Klasik Seri 30"),
    });

    expect(row.changes.brand_model).toBe("Klasık Serri 30");
    expect(row.names.nearModel).toBe("Klasik Seri 30");
    expect(brief(row.issues)).toEqual([]);
    expect(row.warnings).toMatchObject([
      {
        code: "W_MODEL_UNKNOWN",
        cell: "D2",
        message: {
          tr: "Bu markada “Klasık Serri 30” adında bir model yok; serbest metin olarak gönderilir.",
          en: "This brand has no model named “Klasık Serri 30”; it is sent as free text.",
        },
        suggestion: {
          tr: "Bunu mu demek istediniz: “Klasik Seri 30”? Öyleyse hücreye bunu yazın.",
          en: "Did you mean “Klasik Seri 30”? Then write that into the cell.",
        },
      },
    ]);
  });

  const otherModels = ["Klasik Seri 40", "Klasik Seri 30 X", "Yeni 30", "Klasik", "Sedef Seri 30"];
  it.each(otherModels)("does not warn of another model: %s", async (model) => {
    const row = await mapOne(HEADER, ["K1", "Kaşık", "Kuzey Ahşap", model, ""], {
      names: createCatalog("Klasik Seri 30"),
    });

    expect([row.changes.brand_model, row.warnings]).toEqual([model, []]);
  });

  it("resolves what its suggestion says", async () => {
    const row = await mapOne(HEADER, ["K1", "Kaşık", "Bosch"]);

    expect(row.issues[0]?.suggestion?.en).toContain("“Bosch [0014]”, “Bosch [a1f3]”");
    expect(await mapNames("Kaşık", "Bosch [0014]")).toMatchObject({ brand_id: BRAND.twin });
  });

  it("suggests the store's templates when no name is similar", async () => {
    const row = await mapOne("SKU|Teslimat Şablonu", ["K1", "Xyz"]);

    expect(row.issues[0]?.suggestion?.tr).toBe(
      "Örneğin: “Standart Kargo”, “Hızlı Kargo”. Mağazadaki şablonların hepsi: catalog lookup templates",
    );
  });

  it("fetches no list that no row needs", async () => {
    const catalog = createCatalog();

    await mapOne(HEADER, ["K1", "", "", "Yeni 40", ""], { names: catalog });

    expect(catalog.calls).toEqual([]);
  });
});

/** A category with one brand, one model, one template, and a property with the given options. */
function signedCatalog(...options: readonly string[]): NameSource {
  const brand = { id: idSchemas.brand.parse(id(0x71)), name: "Acme" };
  return createFakeNames({
    categories: CATEGORIES,
    brands: { [SPOON]: [brand] },
    models: {
      [`${SPOON}/${brand.id}`]: [
        { id: idSchemas.brandModel.parse(id(0x72)), name: "Redmi Note 12 Pro" },
      ],
    },
    properties: {
      [SPOON]: [
        {
          id: idSchemas.property.parse(id(0x73)),
          name: "Beden",
          property_options: options.map((name, index) => ({
            id: idSchemas.propertyOption.parse(id(0x80 + index)),
            display_name: name,
          })),
        },
      ],
    },
    shippingTemplates: [
      { id: idSchemas.shippingTemplate.parse(id(0x74)), template_name: "Kargo 5" },
    ],
  });
}

describe("a name that differs from a listed one in a sign", () => {
  it("is sent as free text where it is a model", async () => {
    const cells = ["K1", "Kaşık", "Acme", "Redmi Note 12 Pro+"];
    const row = await mapOne(HEADER, cells, { names: signedCatalog() });

    expect(row.issues).toEqual([]);
    expect(row.changes.brand_model).toBe("Redmi Note 12 Pro+");
    expect(row.names.brandModel).toBeUndefined();
  });

  it("is refused where it is a brand or a template, with the listed one as choice", async () => {
    const cells = ["K1", "Kaşık", "Acme+", "", "Kargo +5"];
    const row = await mapOne(HEADER, cells, { names: signedCatalog() });

    expect(brief(row.issues)).toEqual(["C2 E_BRAND_UNKNOWN", "E2 E_TEMPLATE_UNKNOWN"]);
    expect(row.issues.map(({ suggestion }) => suggestion?.tr)).toEqual([
      expect.stringContaining("“Acme”"),
      expect.stringContaining("“Kargo 5”"),
    ]);
  });

  const options: readonly (readonly [written: string, listed: string])[] = [
    ["XL+", "XL"],
    ["40+", "40"],
    ["-20°C", "20°C"],
    ["-5", "5"],
    ["%50", "50"],
    ["<1", "1"],
    [">1", "1"],
    ["±1", "1"],
    ['5"', "5"],
    ["5'", "5"],
    ["M+L", "M/L"],
    ["C#", "C"],
    ["¹", "1"],
    ["XL", "XL+"],
    ["1,5", "1/5"],
  ];
  for (const [written, listed] of options) {
    it(`is refused where the cell has ${written} and the option is ${listed}`, async () => {
      const only = signedCatalog(listed);
      const row = await mapOne("SKU|Kategori|Özellik: Beden", ["K1", "Kaşık", written], {
        names: only,
      });

      expect(brief(row.issues)).toEqual(["C2 E_OPTION_UNKNOWN"]);
      expect(row.issues[0]?.suggestion?.en).toContain(`“${listed}”`);
    });
  }

  it("resolves to its own entry beside the other one", async () => {
    const sizes = signedCatalog("XL", "XL+", "+XL");
    const header = "SKU|Kategori|Özellik: Beden";
    const rows = ["xl +", "XL", "+ xl"].map((size) => ["K1", "Kaşık", size]);

    const { rows: mapped } = await mapSheet({ header, rows, names: sizes });

    expect(mapped.map(({ changes }) => changes.properties?.[0]?.option_id)).toEqual([
      id(0x81),
      id(0x80),
      id(0x82),
    ]);
  });
});

it("finds a brand that is newer than the kept list, with one fetch for all rows", async () => {
  const kept = createCatalog();
  const listed = { id: idSchemas.brand.parse(id(0x99)), name: "Karaca" };
  const asked: boolean[] = [];
  const source: NameSource = {
    ...kept,
    brands: async (category, { fresh = false } = {}) => {
      asked.push(fresh);
      const known = await kept.brands(category);
      return fresh ? [...known, listed] : known;
    },
  };
  const rows = ["Karaca", "Yok", "Yok"].map((brand) => ["K", "Kaşık", brand]);

  const { rows: mapped } = await mapSheet({ header: "SKU|Kategori|Marka", rows, names: source });

  expect(mapped[0]?.changes.brand_id).toBe(listed.id);
  expect(mapped.map(({ issues }) => issues.length)).toEqual([0, 1, 1]);
  expect(asked).toEqual([false, true]);
});

const BLACK = [{ property_id: id(0x31), option_id: id(0x42) }];

it("resolves a property column by option name and by option id", async () => {
  const named = await mapOne("SKU|Kategori|Özellik: renk", ["K1", "Kaşık", "SİYAH"]);
  const byId = await mapOne("SKU|Kategori|property:Renk", ["K1", "Kaşık", id(0x42)]);

  expect(named.changes.properties).toEqual(BLACK);
  expect(byId.changes.properties).toEqual(BLACK);
});

it("reads an unknown header as a property where the category has it", async () => {
  const { rows, mapper } = await mapSheet({
    header: "SKU|Kategori|Renk|Beden",
    rows: [
      ["K1", "Kaşık", "Siyah", "M"],
      ["K2", "Oto > Aksesuar", "Siyah", "M"],
      ["K3", "", "Siyah", "M"],
    ],
  });

  expect(rows.map((row) => row.changes.properties)).toEqual([BLACK, undefined, undefined]);
  expect(rows.flatMap((row) => row.issues)).toEqual([]);
  expect([...mapper.propertyColumns]).toEqual([2]);
});

describe("a property in two columns", () => {
  const header = "SKU|Kategori|Renk|Özellik: Renk";

  it("is refused where the two options differ", async () => {
    const row = await mapOne(header, ["K1", "Kaşık", "Siyah", "Açık Kahve"]);

    expect(brief(row.issues)).toEqual(["D2 E_COLUMN_TWICE"]);
    expect(row.issues[0]?.message.tr).toContain("(Renk): C ve D");
  });

  it("is sent once where the two options agree", async () => {
    const row = await mapOne(header, ["K1", "Kaşık", "Siyah", "SİYAH"]);

    expect(row.issues).toEqual([]);
    expect(row.changes.properties).toEqual(BLACK);
  });
});

it("reports a property or an option that the category does not have", async () => {
  const { rows } = await mapSheet({
    header: "SKU|Kategori|Özellik: Renk|Özellik: Beden",
    rows: [
      ["K1", "Kaşık", "Mor", "M"],
      ["K2", "", "Siyah", ""],
      ["K3", "Yok Böyle", "Siyah", ""],
    ],
  });

  expect(rows.map((row) => brief(row.issues))).toEqual([
    ["C2 E_OPTION_UNKNOWN", "D2 E_PROPERTY_UNKNOWN"],
    ["C3 E_PROPERTY_NEEDS_CATEGORY"],
    ["B4 E_CATEGORY_UNKNOWN"],
  ]);
  expect(rows[0]?.issues[0]?.suggestion?.en).toContain("Açık Kahve");
});

it("reports a broken cell of a property", async () => {
  const row = await mapOne("SKU|Kategori|Renk", ["K1", "Kaşık", "#N/A"]);

  expect(brief(row.issues)).toEqual(["C2 E_CELL_ERROR"]);
});

it("fetches no properties where all property cells are empty", async () => {
  const names = createCatalog();

  await mapOne("SKU|Kategori|Renk", ["K1", "Kaşık", ""], { names });

  expect(names.calls).toEqual(["categories"]);
});

const KEY_HEADER = ["SKU", "Kategori", "Marka", "Başlık", "Renk", "Özellik: Beden"];
const mapping = mapColumns({ sheet: "S", headerRow: 1, header: KEY_HEADER });
const toRow = (...cells: readonly (string | number | null)[]) => ({ row: 2, cells });

describe("the key of a row's names", () => {
  const { keyOf, hasLoose } = createNamesKey(mapping);
  const key = keyOf(toRow("K1", "Kaşık", "A", "x", "Siyah", "M"));

  it("is equal for rows with the same names", () => {
    expect(keyOf(toRow("K2", "Kaşık", "A", "y", "Gri", "M"))).toBe(key);
  });

  it("differs for rows with other names or named properties", () => {
    expect(keyOf(toRow("K1", "Kaşık", "B", "x", "Siyah", "M"))).not.toBe(key);
    expect(keyOf(toRow("K1", "Kaşık", "A", "x", "Siyah", "L"))).not.toBe(key);
    expect(keyOf(toRow("K1", "Kaşık", 5, "x", "Siyah", "M"))).not.toBe(
      keyOf(toRow("K1", "Kaşık", "5", "x", "Siyah", "M")),
    );
  });

  it("differs for rows whose names are displayed differently", () => {
    const five = toRow("K1", "Kaşık", 5);

    expect(keyOf({ ...five, formats: { 2: '"TR"0000' } })).not.toBe(keyOf(five));
    expect(keyOf({ ...five, formats: { 0: '"TR"0000' } })).toBe(keyOf({ ...five, formats: {} }));
    expect(keyOf({ ...five, traits: { 2: "formula" } })).not.toBe(keyOf(five));
  });

  it("differs by a column of an unknown header where that column counts", () => {
    const loose = createNamesKey(mapping, new Set([4]));

    expect(loose.keyOf(toRow("K1", "Kaşık", "A", "x", "Siyah", "M"))).not.toBe(
      loose.keyOf(toRow("K1", "Kaşık", "A", "x", "Gri", "M")),
    );
  });

  it("says whether a column of an unknown header is filled", () => {
    expect(hasLoose(toRow("K1", "Kaşık", "A", "x", " Gri", "M"))).toBe(true);
    expect(hasLoose(toRow("K1", "Kaşık", "A", "x", " ", "M"))).toBe(false);
  });
});
