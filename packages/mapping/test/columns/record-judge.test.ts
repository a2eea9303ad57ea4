import { describe, expect, it } from "vitest";

import { createRecordJudge } from "../../src/columns/record-judge.ts";

const judge = createRecordJudge();
const path = (text: string): readonly string[] => text.split("/");

const meaningsOf = (record: string, headers: readonly string[]): readonly (string | undefined)[] =>
  judge(path(record), headers).meanings;

describe("the record of a feed", () => {
  it.each([
    ["yml_catalog/shop/offers/offer", "@id|@available|price|currencyId|picture", "@id", true],
    ["yml_catalog/shop/categories/category", "@id|@parentId", undefined, false],
    ["products/product", "sku|name|imgUrl|shipPrice|dayOfDelivery|price", "sku", true],
    // Names that many programs write do not tell whose record it is.
    ["products/product", "sku|name|price", "sku", false],
    ["Root/Urunler/Urun/UrunSecenek/Secenek", "VaryasyonID|StokKodu|StokAdedi", "StokKodu", true],
    ["root/item/variants/variant", "vStockCode|vStockAmount|vPrice1", "vStockCode", true],
    ["rss/channel/item", "g:id|g:image_link|g:availability|link|g:price", "g:id", true],
  ])("is known by its path and names: %s %s", (record, names, code, isRecord) => {
    const headers = names.split("|");

    const signs = judge(path(record), headers);

    expect([headers[signs.code], signs.isRecord]).toEqual([code, isRecord]);
  });

  it("has values that mean the same under another name in its product", () => {
    expect(meaningsOf("root/item/variants/variant", ["vStockCode", "vPrice1", "vDm3"])).toEqual([
      "product_code",
      "price",
      undefined,
    ]);
    expect(meaningsOf("root/item", ["stockCode", "price1", "dm3"])).toEqual([
      "product_code",
      "price",
      undefined,
    ]);
  });

  it("takes what a person says of a name, in either language", () => {
    const told = createRecordJudge(new Map([["ref", "Ürün Kodu"]]));

    expect(told(["goods", "good"], ["label", "ref"]).code).toBe(1);
  });
});
