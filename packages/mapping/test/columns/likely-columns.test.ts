import { describe, expect, it } from "vitest";

import { type ColumnCells, createColumnScan } from "../../src/columns/column-cells.ts";
import type { MapColumnsOptions } from "../../src/columns/column-mapping.ts";
import { mapColumns } from "../../src/columns/map-columns.ts";

/** Maps a file as the importer does, with the cells that the mapping wants to see. */
function map(
  header: readonly string[],
  rows: readonly (readonly (string | number)[])[],
  more: Partial<MapColumnsOptions> = {},
) {
  const options = { sheet: "S", headerRow: 1, header, platform: "none", ...more };
  const scan = createColumnScan(mapColumns(options).watched);
  for (const row of rows) scan.observe(row);
  const cells: ReadonlyMap<number, ColumnCells> = scan.cells;
  return mapColumns({ ...options, cells });
}

const proposals = (header: readonly string[], ...rows: readonly (readonly (string | number)[])[]) =>
  Object.fromEntries(map(header, rows).likely.map((each) => [each.field, each.header]));

describe("columns that may hold missing fields", () => {
  it("are proposed by words of their headers, one field each", () => {
    const header = ["Item Kodu", "Mal Adi", "Vendor", "Variant qty", "Satis 1", "Foto"];
    const row = ["AB-1", "Kupa", "Acme", 3, "12,50", "https://a.example/1.jpg"];

    expect(proposals(header, row)).toEqual({
      product_code: "Item Kodu",
      brand: "Vendor",
      price: "Satis 1",
      stock: "Variant qty",
      image_1: "Foto",
    });
  });

  it("may be a barcode, where there is no other code", () => {
    expect(proposals(["Barkod", "Ürün Adı"], ["869123", "Kupa"])).toEqual({
      product_code: "Barkod",
    });
    expect(proposals(["Barkod", "Mal Kodu"], ["869123", "A-1"])).toEqual({
      product_code: "Mal Kodu",
    });
  });

  it.each([
    ["Alış Fiyatı", "5,00"],
    ["ALISFIYATI", "5,00"],
    ["Maliyet Fiyat", "5,00"],
    ["SATIŞ FİYATI 2", "5,00"],
    ["Bayi Fiyat", "5,00"],
    ["Purchase_price", "110"],
    ["standard_price", "85.25"],
    ["Satın Alma Fiyatı", "85,25"],
    ["supplier price", "85.25"],
    ["buying_price", "85.25"],
    ["special_price_to", "2024-02-15"],
    ["Fiyat Geçerlilik", "15.02.2024"],
    ["Fiyat Grubu Adı", "toptan müşteri"],
  ])("are no prices of another kind: %s", (header, value) => {
    expect(proposals(["Mal Kodu", header], ["A-1", value])).not.toHaveProperty("price");
  });

  it("are not proposed where their cells hold something else", () => {
    expect(proposals(["Stok Durumu", "Resim Adı"], ["var", "mavi"])).toEqual({});
  });

  it("are not proposed where they are empty", () => {
    expect(proposals(["Mal Kodu", "Stock"], ["", 1])).toEqual({});
  });
});

describe("columns that a profile knows", () => {
  const feed = [
    ["id", "title", "description", "image_link", "availability", "gtin", "mpn"],
    ["price", "brand", "product_type", "shipping(country:price)"],
  ].flat();
  const row = ["1", "Kupa", "Beyaz", "https://a.example/1.jpg", "in_stock", "869123", "M1"].concat([
    "5 TRY",
    "Acme",
    "Kupa",
    "TR:10",
  ]);

  it("are not proposed where they are never sent or where a question is open about them", () => {
    const { likely, questions } = map(feed, [row], { platform: "google-merchant" });

    expect(questions.map(({ header }) => header)).toEqual(["id"]);
    expect(likely.map(({ field, header }) => `${header}=${field}`)).toEqual(["id=product_code"]);
  });

  it("are not proposed for a file of Amazon", () => {
    const header = ["seller-sku", "item-name", "price", "quantity", "merchant-shipping-group"];
    const { likely } = map(header, [["A-1", "Kupa", "5", "1", "Migrated Template"]], {
      platform: "amazon",
    });

    expect(likely).toEqual([]);
  });
});

describe("columns of a price list", () => {
  it("are a title where a description would be made of names", () => {
    const header = ["Malzeme Kodu", "Malzeme Açıklaması", "Marka Kodu"];
    const long = "Pamuklu kumaş. ".repeat(20);

    expect(proposals(header, ["A-1", "Kupa beyaz 300 ml", "M1"])).toMatchObject({
      title: "Malzeme Açıklaması",
    });
    expect(proposals(header, ["A-1", long, "M1"])).toMatchObject({
      description: "Malzeme Açıklaması",
    });
    expect(
      proposals([...header, "Ürün Adi Web"], ["A-1", "Kupa beyaz", "M1", "Kupa"]),
    ).toMatchObject({ title: "Ürün Adi Web", description: "Malzeme Açıklaması" });
  });

  it("are the price that includes tax", () => {
    const header = ["Malzeme Kodu", "Satış Fiyatı 1", "Satış Fiyatı 1 (KDV Dahil)"].concat([
      "Satış Fiyatı 1 (KDV Hariç)",
      "Satış Fiyatı 2 (KDV Dahil)",
    ]);

    expect(proposals(header, ["A-1", "10,00", "12,00", "9,00", "8,00"])).toMatchObject({
      price: "Satış Fiyatı 1 (KDV Dahil)",
    });
  });

  it("are no category where they group something else", () => {
    expect(proposals(["Müşteri Grubu", "Kargo Grubu"], ["Bayi", "Büyük"])).toEqual({});
  });
});

const messageOf = (header: readonly string[], row: readonly string[]) => {
  const [issue] = map(header, [row]).issues;
  return { code: issue?.code, message: issue?.message.tr, advice: issue?.suggestion?.tr ?? "" };
};

describe("columns of orders and of other records", () => {
  it.each([
    ["Payment Type", "Kredi kartı"],
    ["Ödeme Tipi", "Kredi kartı"],
    ["Order Group", "Perakende"],
    ["Discount Type", "Yüzde"],
    ["Garanti Tipi", "İthalatçı"],
    ["Image Type", "jpeg"],
    ["Shipping Overdue", "Hayır"],
    ["Shipping Company", "Aras"],
    ["Shipping Code", "Aras-1"],
    ["Shipping Address", "İzmir"],
    ["Shipping Name", "Ayşe"],
    ["Shipping Status", "Yolda"],
    ["Teslimat Durumu", "Yolda"],
    ["Teslimat Adı", "Ayşe"],
  ])("are proposed for no field of a product: %s", (header, value) => {
    expect(proposals(["SKU", header], ["A-1", value])).toEqual({});
  });

  it.each([
    ["Product Type", "category"],
    ["Ürün Tipi", undefined],
    ["Urun Grup", "category"],
    ["Teslimat Profili", "shipping_template"],
    ["Shipping Profile", "shipping_template"],
  ])("leave those of products: %s", (header, field) => {
    const expected = field === undefined ? {} : { [field]: header };
    expect(proposals(["SKU", header], ["A-1", "Standart"])).toEqual(expected);
  });
});

describe("a file without product codes", () => {
  it("is refused with its headers, the likely columns and the flags to paste", () => {
    const found = messageOf(["Title", "Mal Kodu", "Fiyat", "Stok"], ["Kupa", "A-1", "5", "1"]);

    expect(found).toEqual({
      code: "E_COLUMN_MISSING",
      message:
        "Ürünleri tanımak için gereken “Ürün Kodu” sütunu bulunamadı. Dosyadaki başlıklar: Title, Mal Kodu, Fiyat, Stok.",
      advice:
        'Belki şu sütunlardır: Ürün Kodu: “Mal Kodu” (B: A-1). Doğruysa komutun sonuna ekleyin: --map "Mal Kodu=Ürün Kodu"',
    });
  });

  it("is asked for the column and for the row of headers where little is known", () => {
    const { advice } = messageOf(["Rapor", "Tarih"], ["x", "y"]);

    expect(advice).toBe(
      'Ürün kodunun bulunduğu sütunu yazın: --map "BAŞLIK=Ürün Kodu"\nBaşlıklar başka bir satırdaysa o satırı yazın: --header-row NUMARA',
    );
  });

  it("has its quotes escaped in the flags", () => {
    const { advice } = messageOf(['Kod "eski" $', "Stok"], ["A-1", "1"]);

    expect(advice).toContain(`--map 'Kod "eski" $=Ürün Kodu'`);
  });
});

it.each([
  ["special_price_to", "2024-02-15"],
  ["Promo Price Valid", "2024-02-15 00:00:00"],
  ["Kampanya Fiyatı Sonu", "15.02.2024"],
  ["Purchase price discount", "12"],
])("asks no question about a column of dates or costs beside the price: %s", (header, value) => {
  const { questions } = map(["SKU", "Price", header], [["A-1", 14, value]]);

  expect(questions).toEqual([]);
});

it.each([
  [["id", "title", "price", "link"], ["A-1", "Fan", "29", "x"], "id"],
  [["id", "title", "model code"], ["17", "Fan", "F-1"], "model code"],
  [["Product ID", "Stok"], ["17", "5"], undefined],
])("proposes ids as the product code where nothing better is there: %j", (header, row, code) => {
  const { likely } = map(header, [row]);

  expect(likely.find(({ field }) => field === "product_code")?.header).toBe(code);
});
