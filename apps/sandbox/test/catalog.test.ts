/**
 * Checks that the sample catalog agrees with the sandbox: its valid rows are valid, and its
 * mistakes are mistakes.
 */

import { readFileSync } from "node:fs";

import { describe, expect, it } from "vitest";

import { createCities, findCity } from "../src/catalog/cities.ts";
import { containsName, createHashedId, foldName, pickNumber } from "../src/catalog/names.ts";
import { createSandboxCatalog } from "../src/index.ts";
import { parseCsv } from "./helpers/parse-csv.ts";

describe("containsName", () => {
  it.each([
    ["Işık", "IŞIK"],
    ["Işık", "isik"],
    ["İsuzu", "ISUZU"],
    ["Isuzu", "isuzu"],
    ["Çay & Kahve", "KAHVE"],
    ["Kâse", "kase"],
    ["Güneş Gözlüğü", "gozlugu"],
    ["Kaşık", ""],
  ])("finds in %s the text %s", (name, text) => {
    expect(containsName(name, text)).toBe(true);
  });

  it.each([
    ["Kaşık", "kaşıklar"],
    ["Çatal", "tabak"],
  ])("does not find in %s the text %s", (name, text) => {
    expect(containsName(name, text)).toBe(false);
  });
});

describe("createHashedId", () => {
  it("gives different ids for different kinds and name levels", () => {
    const ids = [
      createHashedId("brand", "a"),
      createHashedId("model", "a"),
      createHashedId("brand", "a", "b"),
      createHashedId("brand", "ab"),
    ];

    expect(new Set(ids).size).toBe(4);
    expect(ids.every((id) => /^[0-9a-f]{24}$/u.test(id))).toBe(true);
  });

  it("gives the same id for the same names", () => {
    expect(createHashedId("brand", "Işık")).toBe("a4d6a9ab77e91f98a4963423");
  });
});

describe("pickNumber", () => {
  it("returns every number below the limit", () => {
    const picked = Array.from({ length: 200 }, (_, index) => pickNumber(6, String(index)));

    expect(new Set(picked)).toEqual(new Set([0, 1, 2, 3, 4, 5]));
  });
});

const cities = createCities();

describe("createCities", () => {
  it("lists every province once, with all 973 districts, by name", () => {
    expect(new Set(cities.map(({ name }) => name)).size).toBe(81);
    expect(cities.flatMap(({ districts }) => districts)).toHaveLength(973);
    for (const { districts } of cities) {
      const names = districts.map(({ name }) => name);
      expect(new Set(names).size).toBe(names.length);
      expect(names).toEqual(names.toSorted((a, b) => a.localeCompare(b, "tr")));
    }
  });

  it("gives districts ids of their own, below the plate code", () => {
    const ids = cities.flatMap(({ districts }) => districts.map(({ id }) => id));

    expect(new Set(ids).size).toBe(ids.length);
    expect(ids.every((id) => /^\d{4}$/u.test(id))).toBe(true);
  });
});

describe("findCity", () => {
  it.each([
    ["34", "İstanbul"],
    ["6", "Ankara"],
    [6, "Ankara"],
    ["izmir", "İzmir"],
    ["IĞDIR", "Iğdır"],
    ["sanliurfa", "Şanlıurfa"],
  ])("finds %s as %s", (wanted, name) => {
    expect(findCity(cities, wanted)?.name).toBe(name);
  });

  it.each(["82", "0", "", "Atlantis"])("does not find %j", (wanted) => {
    expect(findCity(cities, wanted)).toBeUndefined();
  });
});

const catalog = createSandboxCatalog();
const leaves = catalog.categories.filter(({ id }) => catalog.isLeaf(id));
const ID_PATTERN = /^[0-9a-f]{24}$/u;
const MARKETPLACES = /trendyol|hepsiburada|n11|çiçeksepeti|pazarama|pttavm|amazon|letgo|dolap/iu;

describe("the categories of the catalog", () => {
  it("are many, on four levels, with distinct ids", () => {
    expect(catalog.categories.length).toBeGreaterThanOrEqual(300);
    expect(new Set(catalog.categories.map(({ id }) => id)).size).toBe(catalog.categories.length);
    expect(new Set(catalog.categories.map(({ external_id }) => external_id)).size).toBe(
      catalog.categories.length,
    );
    for (const { id, external_id, category_tree } of catalog.categories) {
      expect(id).toMatch(ID_PATTERN);
      expect(external_id).toMatch(/^\d{8}$/u);
      expect(catalog.isLeaf(id)).toBe(category_tree.length === 4);
    }
  });

  it("keep their ids over versions", () => {
    const spoon = catalog.categories.find(({ name }) => name === "Kaşık");

    expect(spoon).toMatchObject({
      id: "0f03d5aca0ec68672464b299",
      parent: { name: "Sofra" },
      category_path: "Ev & Yaşam > Mutfak > Sofra > Kaşık",
    });
    expect(spoon?.category_tree.map(({ name }) => name).join(" > ")).toBe(spoon?.category_path);
    expect(spoon?.category_tree.at(-2)).toEqual(spoon?.parent);
  });

  it("are listed after their parents, and top ones have none", () => {
    const seen = new Set<string>();
    for (const { id, parent, category_tree } of catalog.categories) {
      expect(parent === null ? category_tree.length === 1 : seen.has(parent.id)).toBe(true);
      seen.add(id);
    }
  });

  it.each(["Aksesuar", "Yedek Parça", "Kılıf"])(
    "have the name %s under several parents",
    (name) => {
      const same = leaves.filter((category) => category.name === name);

      expect(new Set(same.map(({ parent }) => parent?.id)).size).toBe(same.length);
      expect(same.length).toBeGreaterThan(3);
    },
  );

  it("have distinct names under one parent", () => {
    const paths = catalog.categories.map(({ category_path }) => category_path);

    expect(new Set(paths).size).toBe(paths.length);
  });
});

describe("the brands of the catalog", () => {
  it("are many overall and 20 to 150 in each leaf, each once", () => {
    const names = new Set<string>();
    for (const { id } of leaves) {
      const brands = catalog.brands(id);
      expect(brands.length).toBeGreaterThanOrEqual(20);
      expect(brands.length).toBeLessThanOrEqual(150);
      expect(new Set(brands.map((brand) => brand.id)).size).toBe(brands.length);
      for (const { name } of brands) names.add(name);
    }
    expect(names.size).toBeGreaterThanOrEqual(2000);
    expect([...names].filter((name) => MARKETPLACES.test(name))).toEqual([]);
  });

  it("include Isuzu and İsuzu in one category", () => {
    const tyre = leaves.find(({ name }) => name === "Kış Lastiği");

    const pair = catalog.brands(tyre?.id ?? "").filter(({ name }) => /^[Iİ]suzu$/u.test(name));

    expect(pair.map(({ name }) => name).toSorted()).toEqual(["Isuzu", "İsuzu"]);
    expect(pair[0]?.id).not.toBe(pair[1]?.id);
  });

  it("have one id in every category", () => {
    const ids = leaves.flatMap(({ id }) =>
      catalog.brands(id).filter(({ name }) => name === "Bosch"),
    );

    expect(ids.length).toBeGreaterThan(10);
    expect(new Set(ids.map(({ id }) => id)).size).toBe(1);
  });

  it("exist in leaf categories only", () => {
    const [top] = catalog.categories;

    expect(catalog.brands(top?.id ?? "")).toEqual([]);
    expect(catalog.brands("unknown")).toEqual([]);
  });
});

describe("the models of the catalog", () => {
  it("are 3 to 12 for each brand of a category, each once", () => {
    for (const { id } of leaves.filter((_, index) => index % 20 === 0)) {
      for (const brand of catalog.brands(id)) {
        const models = catalog.models(id, brand.id);
        expect(models.length).toBeGreaterThanOrEqual(3);
        expect(models.length).toBeLessThanOrEqual(12);
        expect(new Set(models.map(({ name }) => name)).size).toBe(models.length);
        expect(new Set(models.map((model) => model.id)).size).toBe(models.length);
      }
    }
  });

  it("do not exist for a brand that the category does not have", () => {
    expect(catalog.models(leaves[0]?.id ?? "", "unknown")).toEqual([]);
  });
});

describe("the properties of the catalog", () => {
  it("have options in every leaf category and exist nowhere else", () => {
    for (const { id } of leaves) {
      const properties = catalog.properties(id);
      expect(properties.length).toBeGreaterThan(1);
      expect(properties.every((property) => property.property_options.length > 3)).toBe(true);
    }
    expect(catalog.properties("unknown")).toEqual([]);
  });

  it("include colour, size and material for clothes", () => {
    const dress = leaves.find(({ name }) => name === "Günlük Elbise");

    const names = catalog.properties(dress?.id ?? "").map(({ name }) => name);

    expect(names).toEqual(["Renk", "Beden", "Materyal", "Kalıp", "Desen"]);
  });
});

describe("the shipping templates of the catalog", () => {
  it("have distinct names", () => {
    const names = catalog.shippingTemplates.map(({ template_name }) => template_name);

    expect(names).toEqual(expect.arrayContaining(["Standart Teslimat", "Ücretsiz Kargo"]));
    expect(names.length).toBeGreaterThanOrEqual(6);
    expect(new Set(names).size).toBe(names.length);
  });
});

describe("createSandboxCatalog", () => {
  it("makes the same catalog every time", () => {
    const again = createSandboxCatalog();

    expect(again.categories).toEqual(catalog.categories);
    expect(again.brands(leaves[0]?.id ?? "")).toEqual(catalog.brands(leaves[0]?.id ?? ""));
    expect(again.shippingTemplates).toEqual(catalog.shippingTemplates);
  });
});

const BYTE_ORDER_MARK = "\uFEFF";
const HEADERS = [
  "Ürün Kodu *",
  "Başlık *",
  "Alt Başlık *",
  "Kategori *",
  "Marka *",
  "Model *",
  "Açıklama *",
  "Para Birimi",
  "Fiyat *",
  "Piyasa Fiyatı",
  "Stok *",
  "Garanti Tipi *",
  "Garanti Süresi *",
  "Teslimat Şablonu *",
  "Görsel 1 *",
  "Görsel 2",
  "Görsel 3",
  "Not",
] as const;
type Header = (typeof HEADERS)[number];
type Row = ReadonlyMap<string, string>;

const text = readFileSync(new URL("../../../templates/ornek-katalog.csv", import.meta.url), "utf8");
const [headers = [], ...body] = parseCsv(text.slice(BYTE_ORDER_MARK.length));
const rows: readonly Row[] = body.map(
  (cells) => new Map(cells.map((cell, index) => [headers[index] ?? "", cell])),
);
const cellOf = (row: Row, header: Header): string => row.get(header) ?? "";
const codeOf = (row: Row): string => cellOf(row, "Ürün Kodu *");
const isBad = (row: Row): boolean => cellOf(row, "Not").startsWith("Bilerek hatalı: ");
const bad = rows.filter(isBad);
const valid = rows.filter((row) => !isBad(row));
const templates = new Set(catalog.shippingTemplates.map(({ template_name }) => template_name));
const categoriesOf = (row: Row): typeof catalog.categories =>
  catalog.categories.filter(
    ({ id, name, category_path }) =>
      catalog.isLeaf(id) && [name, category_path].includes(cellOf(row, "Kategori *")),
  );
const brandsOf = (row: Row): ReturnType<typeof catalog.brands> => {
  const typed = cellOf(row, "Marka *");
  const brands = categoriesOf(row).flatMap(({ id }) => catalog.brands(id));
  const same = brands.filter(({ name }) => name === typed);
  return same.length > 0 ? same : brands.filter(({ name }) => foldName(name) === foldName(typed));
};

const PRICE_PATTERN = /^\d{1,3}(?:\.\d{3})*,\d{2}$/u;
const toMinor = (price: string): number => Number(price.replaceAll(/\D/gu, ""));
const WARRANTIES = {
  Garantisiz: ["0 Ay"],
  "İthalatçı Garantili": ["12 Ay", "24 Ay", "2 Yıl"],
  "Tedarikçi Garantili": ["12 Ay", "24 Ay"],
  "Teknik Servis Garantili": ["24 Ay", "36 Ay"],
};

/** Each kind of mistake in the sample, in the order of the columns. */
const MISTAKES: Readonly<Record<string, (row: Row) => boolean>> = {
  "duplicate code": (row) => rows.filter((other) => codeOf(other) === codeOf(row)).length > 1,
  "missing title": (row) => cellOf(row, "Başlık *") === "",
  "ambiguous category": (row) => categoriesOf(row).length > 1,
  "unknown category": (row) => categoriesOf(row).length === 0,
  "unknown brand": (row) => brandsOf(row).length === 0,
  "unknown currency": (row) => !["TL", "₺", "USD", "EUR", ""].includes(cellOf(row, "Para Birimi")),
  "price is no number": (row) => !PRICE_PATTERN.test(cellOf(row, "Fiyat *")),
  "stock is no count": (row) => !/^\d+$/u.test(cellOf(row, "Stok *")),
  "warranty does not fit": (row) =>
    !new Map(Object.entries(WARRANTIES))
      .get(cellOf(row, "Garanti Tipi *"))
      ?.includes(cellOf(row, "Garanti Süresi *")),
  "unknown template": (row) => !templates.has(cellOf(row, "Teslimat Şablonu *")),
  "image is not https": (row) => !cellOf(row, "Görsel 1 *").startsWith("https://ornek.example/"),
};
const mistakesOf = (row: Row): readonly string[] =>
  Object.entries(MISTAKES).flatMap(([name, isMade]) => (isMade(row) ? [name] : []));

describe("the sample catalog", () => {
  it("opens in a Turkish spreadsheet, with complete rows", () => {
    expect(text.startsWith(BYTE_ORDER_MARK)).toBe(true);
    expect(headers).toEqual(HEADERS);
    expect(body.map((cells) => cells.length)).toEqual(Array.from(body, () => HEADERS.length));
    expect(text).not.toContain("\uFFFD");
  });

  it("has 52 valid rows and 8 with intended mistakes", () => {
    expect([valid.length, bad.length]).toEqual([52, 8]);
  });

  it.each(valid.map((row) => [codeOf(row), row] as const))(
    "names things in row %s that the sandbox knows",
    (_, row) => {
      const [category, ...otherCategories] = categoriesOf(row);
      const [brand, ...otherBrands] = brandsOf(row);
      const models = catalog.models(category?.id ?? "", brand?.id ?? "");

      expect([otherCategories, otherBrands]).toEqual([[], []]);
      expect(models.map(({ name }) => name)).toContain(cellOf(row, "Model *"));
      expect(mistakesOf(row)).toEqual([]);
    },
  );

  it("leaves no required cell of a valid row empty", () => {
    const empty = valid.flatMap((row) =>
      HEADERS.filter((header) => header.endsWith("*") && cellOf(row, header).trim() === ""),
    );

    expect(empty).toEqual([]);
  });

  it("has a price below the list price where it has one", () => {
    const listed = valid.filter((row) => cellOf(row, "Piyasa Fiyatı") !== "");

    expect(listed.length).toBeGreaterThan(15);
    for (const row of listed) {
      expect(cellOf(row, "Piyasa Fiyatı")).toMatch(PRICE_PATTERN);
      expect(toMinor(cellOf(row, "Piyasa Fiyatı"))).toBeGreaterThan(
        toMinor(cellOf(row, "Fiyat *")),
      );
    }
  });

  it("has eleven kinds of mistakes, each described in its note", () => {
    const made = Object.fromEntries(
      bad.map((row) => [`${codeOf(row)} ${cellOf(row, "Marka *")}`, mistakesOf(row)]),
    );

    expect(made).toEqual({
      "FRT-9001 Bosh": ["unknown brand"],
      "000221 Bodrum Tekstil": ["missing title"],
      "AKS-77 Kuzeytek": ["ambiguous category"],
      "KLV-104 Oyunkur": ["price is no number", "stock is no count"],
      "BOY-15L Tuğra Boya": ["unknown currency", "unknown template"],
      "AKU-60 Aküder": ["warranty does not fit", "image is not https"],
      "TKS-0100 Gümüşçü Halil": ["duplicate code"],
      "TKS-0100 İncili": ["duplicate code"],
    });
    expect(Object.values(made).flat()).toHaveLength(11);
    expect(bad.flatMap((row) => cellOf(row, "Not").split("; "))).toHaveLength(11);
  });

  it("contains cells that break careless readers", () => {
    const descriptions = valid.map((row) => cellOf(row, "Açıklama *"));
    const codes = valid.map(codeOf);

    expect(descriptions.some((cell) => cell.includes("\n"))).toBe(true);
    expect(descriptions.some((cell) => cell.includes('"'))).toBe(true);
    expect(descriptions.some((cell) => cell.includes(";"))).toBe(true);
    expect(descriptions.some((cell) => cell.includes("<p>"))).toBe(true);
    expect(codes.filter((code) => code.startsWith("0")).length).toBeGreaterThan(3);
    expect(valid.map((row) => cellOf(row, "Marka *"))).toContain("IŞIK");
  });
});
