import { describe, expect, it } from "vitest";

import { toColumnWarnings } from "../../src/columns/column-reports.ts";
import { mapColumns } from "../../src/columns/map-columns.ts";

function warningsOf(header: readonly string[], properties: readonly number[] = []) {
  const mapping = mapColumns({ sheet: "S", headerRow: 1, header, platform: "none" });
  return toColumnWarnings(mapping, new Set(properties), []).map(
    ({ code, message }) => `${code} ${message.tr}`,
  );
}

const costOf = (column: string): string =>
  `W_COLUMN_NOT_SENT Maliyet “${column}” gönderilmez; zararına satış denetimi ve fiyat kuralları içindir.`;

describe("warnings about columns", () => {
  it("name unknown columns in one line, with the flags of those that may be fields", () => {
    expect(warningsOf(["Ürün Kodu", "Vendor", "Depo Rafı", "Mal Stock"])).toEqual([
      'W_COLUMN_UNKNOWN Tanınmayan 3 sütun kullanılmadı: “Vendor”, “Depo Rafı”, “Mal Stock”. Şu alanlarsa komuta ekleyin: --map "Vendor=Marka" --map "Mal Stock=Stok"',
    ]);
  });

  it.each([
    [["Depo Rafı"], "1 column that is not known was not used: “Depo Rafı”."],
    [["Depo Rafı", "Koli"], "2 columns that are not known were not used: “Depo Rafı”, “Koli”."],
  ])("count %s in English", (headers, told) => {
    const header = ["Ürün Kodu", ...headers];
    const mapping = mapColumns({ sheet: "S", headerRow: 1, header, platform: "none" });

    const [warning] = toColumnWarnings(mapping, new Set(), []);

    expect(warning?.message.en).toContain(told);
  });

  it("give an example of a flag where no column looks like a field", () => {
    expect(warningsOf(["Ürün Kodu", "Depo Rafı"])).toEqual([
      'W_COLUMN_UNKNOWN Tanınmayan 1 sütun kullanılmadı: “Depo Rafı”. Birini kullanmak için: --map "Depo Rafı=ALAN"',
    ]);
  });

  it.each([
    "Alış Fiyatı",
    "ALISFIYATI",
    "SATIŞ FİYATI 2",
    "Fiyat $",
    "Fiyat (USD)",
    "Fiyat (KDV'siz)",
    "Price (ex. VAT)",
    "Liste Fiyatı €",
  ])("propose no amount of another kind as a price: %s", (header) => {
    expect(warningsOf(["Ürün Kodu", header]).join("\n")).not.toMatch(/=(?:Piyasa )?Fiyat/u);
  });

  it("name columns that the marketplace has no field for in one line", () => {
    expect(warningsOf(["Ürün Kodu", "Desi", "KDV Oranı"])).toEqual([
      "W_COLUMN_NOT_SENT Pazaryerinde karşılığı olmayan 2 sütun gönderilmez: “Desi”, “KDV Oranı”.",
    ]);
  });

  it("say what the column of costs is for, by its name or as a person named it", () => {
    expect(warningsOf(["Ürün Kodu", "AlisFiyati"])).toEqual([costOf("AlisFiyati")]);
    const overrides = new Map([["Net", "Maliyet"]]);
    const header = ["Ürün Kodu", "Net", "Desi"];
    const mapping = mapColumns({ sheet: "S", headerRow: 1, header, platform: "none", overrides });
    const [cost, other] = toColumnWarnings(mapping, new Set(), []);
    expect(cost?.message.tr).toBe(costOf("Net").replace("W_COLUMN_NOT_SENT ", ""));
    expect(other?.message.tr).toContain("“Desi”");
  });

  it("leave out columns that are a property of some category", () => {
    expect(warningsOf(["Ürün Kodu", "Renk Tonu"], [1])).toEqual([]);
  });

  it("say what to write for a column whose field another column has", () => {
    const [warning = ""] = warningsOf(["Ürün Kodu", "Fiyat", "Satış Fiyatı"]);

    expect(warning).toContain('Tersi doğruysa --map "Satış Fiyatı=Fiyat" yazın.');
  });
});

describe("a column that the platform's sellers use for categories", () => {
  const header = ["Handle", "Title", "Product Category", "Type", "Variant SKU", "Lookbook"];
  const mapping = mapColumns({ sheet: "S", headerRow: 1, header, platform: "shopify" });
  const unknownOf = (openNames: readonly { readonly field: string }[]) =>
    toColumnWarnings(mapping, new Set(), openNames).find(({ code }) => code === "W_COLUMN_UNKNOWN")
      ?.message.tr;

  it("is proposed where the store does not know the categories of the file", () => {
    expect(unknownOf([{ field: "category@shopify" }])).toContain('--map "Type=Kategori"');
  });

  it("is not proposed where it knows them", () => {
    expect(unknownOf([{ field: "brand" }])).not.toContain("=Kategori");
  });
});
