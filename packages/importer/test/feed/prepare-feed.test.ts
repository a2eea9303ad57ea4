import { createTestConnection } from "@catalog/connection/testing";
import { describe, expect, it } from "vitest";

import { findFeedFile } from "../../src/feed/feed-file.ts";
import { feedKey } from "../../src/feed/feed-name.ts";
import { openFeed } from "../../src/feed/open-feed.ts";

/** What a sync takes from a feed: fields by header, or the headers that it asks about. */
async function read(header: string, rows: readonly string[]): Promise<string> {
  const { connection, write } = await createTestConnection();
  const path = write("feed.csv", `${[header, ...rows].join("\r\n")}\r\n`);
  try {
    await using feed = await openFeed(connection, findFeedFile(path), {});
    return feed.mapping.columns
      .flatMap(({ header: name, target }) =>
        target.kind === "field" ? [`${name}=${target.field}`] : [],
      )
      .join(" ");
  } catch (error) {
    if (!(error instanceof Error) || !("issues" in error) || !Array.isArray(error.issues))
      throw error;
    return error.issues.map(({ column }: { column: string }) => `${column}?`).join(" ");
  }
}

/** Headers as shops, accounting programs and suppliers write them: code, stock, price. */
const SETS: readonly (readonly [header: string, expected: string])[] = [
  // Both are known by their names.
  ["Ürün Kodu;Stok;Fiyat", "Ürün Kodu=product_code Stok=stock Fiyat=price"],
  [
    "Stok Kodu;Toplam Stok;Satış Fiyatı",
    "Stok Kodu=product_code Toplam Stok=stock Satış Fiyatı=price",
  ],
  ["Stok Kodu;Depo Stok;Satış Fiyatı", "Stok Kodu=product_code Depo Stok=stock Satış Fiyatı=price"],
  [
    "Stok Kodu;Kullanılabilir Stok;Fiyat",
    "Stok Kodu=product_code Kullanılabilir Stok=stock Fiyat=price",
  ],
  ["Stok Kodu;Satılabilir Stok;Fiyat", "Stok Kodu=product_code Satılabilir Stok=stock Fiyat=price"],
  ["Ürün Kodu;Envanter;Fiyat", "Ürün Kodu=product_code Envanter=stock Fiyat=price"],
  ["Ürün Kodu;Net Stok;Fiyat", "Ürün Kodu=product_code Net Stok=stock Fiyat=price"],
  ["Ürün Kodu;Fiili Stok;Fiyat", "Ürün Kodu=product_code Fiili Stok=stock Fiyat=price"],
  ["Ürün Kodu;Mevcut Stok;Fiyat", "Ürün Kodu=product_code Mevcut Stok=stock Fiyat=price"],
  ["Ürün Kodu;Kalan Stok;Fiyat", "Ürün Kodu=product_code Kalan Stok=stock Fiyat=price"],
  ["URUN KODU;STOK ADEDI;FIYAT", "URUN KODU=product_code STOK ADEDI=stock FIYAT=price"],
  ["SKU;Available Stock;Price", "SKU=product_code Available Stock=stock Price=price"],
  ["SKU;On hand;Price", "SKU=product_code On hand=stock Price=price"],
  ["SKU;Stock;Price", "SKU=product_code Stock=stock Price=price"],
  // What they mean depends on the file.
  ["Ürün Kodu;Kalan;Fiyat", "Kalan?"],
  ["Ürün Kodu;Mevcut;Fiyat", "Mevcut?"],
  ["Ürün Kodu;Bakiye;Fiyat", "Bakiye?"],
  ["SKU;Available;Price", "Available?"],
  ["Ürün Kodu;Miktar;Fiyat", "Miktar?"],
  ["Ürün Kodu;Adet;Fiyat", "Adet?"],
  // Names that nobody has seen.
  ["Ürün Kodu;Depo;Fiyat", "Depo?"],
  ["Ürün Kodu;Merkez;Fiyat", "Merkez?"],
  ["Ürün Kodu;İstanbul Depo;Fiyat", "İstanbul Depo?"],
  ["Ürün Kodu;Ambar 1;Fiyat", "Ambar 1?"],
  ["Ürün Kodu;Elde;Fiyat", "Elde?"],
  ["Ürün Kodu;Eldeki;Fiyat", "Eldeki?"],
  ["Ürün Kodu;Sayı;Fiyat", "Sayı?"],
  ["Ürün Kodu;Stk;Fiyat", "Stk?"],
  ["Ürün Kodu;Stok Mik.;Fiyat", "Stok Mik.?"],
  ["Ürün Kodu;Free Qty;Fiyat", "Free Qty?"],
  ["SKU;Free;Price", "Free?"],
  ["SKU;ATP;Price", "ATP?"],
  ["SKU;Balance;Price", "Balance?"],
  ["SKU;Units;Price", "Units?"],
  ["SKU;WH01;Price", "WH01?"],
  ["SKU;Lagerbestand;Price", "Lagerbestand?"],
  // The price is the one with another name.
  ["Ürün Kodu;Stok;Perakende Tutar", "Perakende Tutar?"],
  ["Ürün Kodu;Stok;Peşin Fiyat", "Peşin Fiyat?"],
  ["SKU;Stock;Amount", "Amount?"],
  ["SKU;Stock;Our Price", "Our Price?"],
  ["Ürün Kodu;Stok;İnternet Fiyatı", "İnternet Fiyatı?"],
  ["Ürün Kodu;Stok;İnternet Satış Fiyatı", "İnternet Satış Fiyatı?"],
  ["Ürün Kodu;Stok;Net Fiyat", "Net Fiyat?"],
  ["Ürün Kodu;Stok;Fiyat 2", "Fiyat 2?"],
  ["Ürün Kodu;Stok;Satış Fiyatı (KDV Hariç)", "Satış Fiyatı (KDV Hariç)?"],
  ["Ürün Kodu;Stok;KDV'siz Fiyat", "KDV'siz Fiyat?"],
  ["Ürün Kodu;Stok;Bayi Fiyatı", "Bayi Fiyatı?"],
  ["Ürün Kodu;Stok;USD Fiyat", "USD Fiyat?"],
  ["Ürün Kodu;Stok;Min. Fiyat", "Min. Fiyat?"],
  ["SKU;Stock;PSF", "PSF?"],
  ["SKU;Stock;MSRP", "MSRP?"],
  ["SKU;Stock;Retail", "Retail?"],
  ["SKU;Stock;TL", "TL?"],
  ["SKU;Stock;Sütun3", "Sütun3?"],
  // Both are.
  ["Ürün Kodu;Kalan;Tutar", "Kalan? Tutar?"],
  ["SKU;Units;Amount", "Units? Amount?"],
];

describe("a feed of stocks and prices", () => {
  it.each(SETS)("takes both, or asks: %s", async (header, expected) => {
    expect(await read(header, ["A-1;12;149,90", "A-2;0;89,90"])).toBe(expected);
  });

  it.each([
    ["Ürün Kodu;Stok", "A-1;12"],
    ["Ürün Kodu;Fiyat", "A-1;149,90"],
    // Numbers that are no stock.
    ["Ürün Kodu;Fiyat;KDV Oranı;Desi;Barkod", "A-1;149,90;20;3;8690000000001"],
    ["Ürün Kodu;Fiyat;Kritik Stok;Raf", "A-1;149,90;5;B-12"],
    ["SKU;Price;Weight;Year;Category Id", "A-1;149,90;120;2026;415"],
    // Amounts that are no price.
    ["Ürün Kodu;Stok;Alış Fiyatı;Kargo Ücreti;KDV Oranı", "A-1;12;99,90;29,90;20,00"],
    ["Ürün Kodu;Stok;Döviz Kuru;Boy;En", "A-1;12;41,20;10,50;20,25"],
    ["Ürün Kodu;Fiyat;Taksit;Koli İçi Adet;Raf Ömrü;Favori;Termin", "A-1;149,90;6;12;24;77;3"],
    ["SKU;Price;Safety Stock;MOQ;Lead Days;Unavailable", "A-1;149.90;6;12;24;3"],
    ["SKU;Stock;Price;Unavailable", "A-1;12;149.90;3"],
    ["SKU;Stock;standard_price", "A-1;12;99.90"],
    ["Ürün Kodu;Stok;KDV Tutarı;Stok Tutarı;Stok Değişimi", "A-1;12;12,50;1200,00;3"],
    ["Ürün Kodu;Fiyat;Raf;ColorCode;rank;pack;fx", "A-1;149,90;4;12;5;6;41"],
    ["SKU;Stock;price per kg;price change;fx", "A-1;12;33.20;1.50;41.20"],
    ["SKU;Stock;Purchase_price;Weight;Commission Rate", "A-1;12;99.90;1.25;15.50"],
  ])("asks nothing of a feed that has no such column: %s", async (header, row) => {
    expect(await read(header, [row])).not.toContain("?");
  });
});

it.each([
  ["Ürün Kodu;Stok;Rezerve;Satılabilir Stok;Fiyat", "Satılabilir Stok?"],
  ["SKU;On hand;Committed;Available;Price", "Available?"],
  ["SKU;Price TRY;On Hand;Reserved;Free", "Free?"],
  ["Stok Kodu;Toplam Stok;Rezerve;Kullanılabilir Stok;Fiyat", "Kullanılabilir Stok?"],
])("a feed with two columns of stocks asks which one is sold: %s", async (header, expected) => {
  const row = header.split(";").map((name) => (/^(?:Fiyat|Price)/u.test(name) ? "89,90" : "12"));
  expect(await read(header, [row.join(";")])).toContain(expected);
});

describe("feedKey", () => {
  it.each([
    ["/f/stock-2026-11-26.csv", "/f/stock-2026-11-27.csv"],
    ["/f/stok_27.11.2026.xlsx", "/f/stok_28.11.2026.xlsx"],
    ["/f/stok20261127T0945.csv", "/f/stok20261128T1000.csv"],
    ["/f/stok-1764150000.csv", "/f/stok-1764236400.csv"],
    ["/f/stok27112026.csv", "/f/stok28112026.csv"],
    ["/f/stok271126.csv", "/f/stok281126.csv"],
    ["/f/stok261127.csv", "/f/stok261128.csv"],
    ["/f/stok_27_11.csv", "/f/stok_28_11.csv"],
    ["/f/stok 27.11.26.csv", "/f/stok 28.11.26.csv"],
    ["/f/rapor_27Kas2026.csv", "/f/rapor_1Aralık2026.csv"],
    ["/f/report-nov-27-2026.csv", "/f/report-dec-1-2026.csv"],
    ["/f/stok-cuma.csv", "/f/stok-cumartesi.csv"],
    ["/f/stok.csv", "/f/stok (2).csv"],
    ["/f/export(3).csv", "/f/export(4).csv"],
    ["/f/stok - Kopya (2).csv", "/f/stok.csv"],
    ["/f/stok_v12.xlsx", "/f/stok_v13.xlsx"],
  ])("is the same for the files of two days: %s, %s", (one, other) => {
    expect(feedKey(one)).toBe(feedKey(other));
  });

  it.each([
    ["/f/stok-1.csv", "/f/stok-2.csv"],
    ["https://a.example/?key=1", "https://a.example/?key=2"],
    ["/f/depo-34.csv", "/f/depo-35.csv"],
    ["/f/pazaryeri.csv", "/f/mondaycorp.csv"],
    ["/f/bayi-100200.csv", "/f/bayi-100300.csv"],
    ["/f/mart-a.csv", "/f/nisan-b.csv"],
  ])("differs for two feeds: %s, %s", (one, other) => {
    expect(feedKey(one)).not.toBe(feedKey(other));
  });
});
