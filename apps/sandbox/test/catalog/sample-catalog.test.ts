/**
 * Checks that the sample catalog agrees with the sandbox: its valid rows are valid, and its
 * mistakes are mistakes.
 */

import { readFileSync } from "node:fs";

import { describe, expect, it } from "vitest";

import { foldName } from "../../src/catalog/names.ts";
import { createSandboxCatalog } from "../../src/index.ts";
import { parseCsv } from "../helpers/parse-csv.ts";

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

const text = readFileSync(
  new URL("../../../../templates/ornek-katalog.csv", import.meta.url),
  "utf8",
);
const [headers = [], ...body] = parseCsv(text.slice(BYTE_ORDER_MARK.length));
const rows: readonly Row[] = body.map(
  (cells) => new Map(cells.map((cell, index) => [headers[index] ?? "", cell])),
);
const cellOf = (row: Row, header: Header): string => row.get(header) ?? "";
const codeOf = (row: Row): string => cellOf(row, "Ürün Kodu *");
const isBad = (row: Row): boolean => cellOf(row, "Not").startsWith("Bilerek hatalı: ");
const bad = rows.filter(isBad);
const valid = rows.filter((row) => !isBad(row));

const catalog = createSandboxCatalog();
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
