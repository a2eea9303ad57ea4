import { describe, expect, it } from "vitest";

import { createHeaderMatcher } from "../../src/columns/header-matcher.ts";

const matcher = createHeaderMatcher();

/** The field that a header is mapped to without a question; else `asked` or `never sent`. */
const read = (header: string): string => {
  const { target, doubt } = matcher.match(header);
  if (target.kind === "field") return target.field;
  if (doubt !== undefined) return `asked ${doubt.target.field}`;
  return target.kind === "unknown" ? "not taken" : target.kind;
};

const lines = (text: string): readonly string[] =>
  text
    .split(/[;\n]/u)
    .map((header) => header.trim())
    .filter((header) => header !== "");

describe("an addition that changes what a column holds", () => {
  const headers = lines(`
    Fiyat (USD);Fiyat ($);Fiyat $;Price (€);Satış Fiyatı €;Fiyat (KDV'siz);Fiyat (+KDV)
    Satış Fiyatı (KDV Hrç.);Fiyat (Vergisiz);Fiyat (KDV dahil değil);Fiyat (Net)
    Price (ex. VAT);Price (net);Price (wholesale);Price (old);Price (RRP);Fiyat (Bayi)
    Fiyat (Toptan);Fiyat (Koli);Fiyat (Liste);Fiyat (Piyasa);Stok (Rezerve);Stok (Min)
    Stok (Kritik);Stok (Satılan);Kategori (Google);Kategori ID (N11);Başlık (EN);Fiyat [USD]
    Fiyat {USD};Fiyat <USD>;Fiyat （USD）;Fiyat (USD;Fiyat USD);Fiyat ((USD));Fiyat (TL) (USD)
    Fiyat (TL/USD);(USD) Fiyat;USD Fiyat;$ Fiyat;Fiyat-USD;Fiyat/EUR;Fiyat: Bayi
    Fiyat - Toptan;Fiyat | EUR;Fiyat, net;Fiyat＄;Fiyat£;Fiyat ¥;Fiyat + KDV;Fiyat+KDV
    Fiyat %;Fiyat (%);Fiyat²;Fiyat¹;Fiyat ½;Fiyat #2;Fiyat?;Fiyat ~;Fiyat >;Fiyat =
    F̶i̶y̶a̶t̶;Fiyat (%20 KDV hariç);Fiyat (KDV);Fiyat (KDV dahil olmayan)
    Fiyat (TL, KDV hariç);Fiyat (Adet);Fiyat (Koli, TL);Fiyat (tahmini);Fiyat (N11)
    Fiyat (Trendyol);Stok +;Stok < 5;Stok <;Stok %;Stok (Koli);Stok (Depo 2);Stok/Koli
    Başlık [EN];Başlık - EN;Title (DE);Açıklama (İngilizce);Marka (Rakip);Ürün Kodu (Barkod)
    SKU (Amazon);Ürün ID (Trendyol);ID (N11);Model (Kod);Garanti Süresi (Yıl);Garanti (Yıl)
    Piyasa Fiyatı (USD);İndirim Oranı (Bayi);Para Birimi (Alış);Teslimat Şablonu (N11)
    Görsel 1 (Alt metin);Görseller (Sayı);Action(SiteID=Turkey|Country=TR|Currency=TRY)
  `);
  it.each(headers)("keeps “%s” from being mapped to a field", (header) => {
    expect(["not taken", "asked discount_value"]).toContain(read(header));
  });
});

describe("a harmless addition", () => {
  const cases: readonly (readonly [string, string])[] = [
    ["Fiyat (TL)", "price"],
    ["Fiyat [TL]", "price"],
    ["Fiyat ₺", "price"],
    ["Fiyat₺", "price"],
    ["₺ Fiyat", "price"],
    ["Fiyat TL", "price"],
    ["TL Fiyat", "price"],
    ["Fiyat (TRY)", "price"],
    ["Fiyat *", "price"],
    ["*Fiyat*", "price"],
    ["Fiyat (zorunlu)", "price"],
    ["Fiyat (TL) *", "price"],
    ["Fiyat (TL, KDV Dahil)", "price"],
    ["Fiyat (KDV Dahil TL)", "price"],
    ["Satış Fiyatı (KDV Dahil)", "price"],
    ["Satış Fiyatı(KDV DAHİL)", "price"],
    ["SATIS FIYATI (KDV DAHIL)", "price"],
    ["Satış Fiyatı KDV Dahil", "price"],
    ["KDV Dahil Satış Fiyatı", "price"],
    ["SATIŞ FİYATI TL", "price"],
    ["Fiyat (%20 KDV dahil)", "price"],
    ["Fiyat (KDV %20 Dahil)", "price"],
    ["Fiyat (KDV'li)", "price"],
    ["Fiyat (vergiler dahil)", "price"],
    ["Price (incl. VAT)", "price"],
    ["Price (incl. 20% VAT)", "price"],
    ["Price (VAT incl.)", "price"],
    ["Price (tax included)", "price"],
    ["Price (required)", "price"],
    ["Fiyat (Price)", "price"],
    ["Fiyat (Satış)", "price"],
    ["Piyasa Satış Fiyatı (KDV Dahil)", "list_price"],
    ["Piyasa Fiyatı (TL)", "list_price"],
    ["Trendyol'da  Satılacak Fiyat (KDV Dahil)", "price"],
    ["İndirim Oranı (%)", "discount_value"],
    ["İndirim Oranı %", "discount_value"],
    ["İndirim (%)", "discount_value"],
    ["İndirimli Fiyat (TL)", "discount_value"],
    ["Stok (Adet)", "stock"],
    ["Stok Adet", "stock"],
    ["Stock (pcs)", "stock"],
    ["Garanti Süresi (Ay)", "warranty_period"],
    ["Garanti Süresi - Ay", "warranty_period"],
    ["Garanti(Ay)", "warranty_period"],
    ["Warranty Period (months)", "warranty_period"],
    ["Garanti Süresi (0/12/24/36)", "warranty_period"],
    ["Para Birimi (TL/USD/EUR)", "currency"],
    ["İşlem (Ekle/Güncelle)", "action"],
    ["Görsel 1 (URL)", "image_1"],
    ["Görsel 2 Link", "image_2"],
    ["Görsel 3 (opsiyonel)", "image_3"],
    ["Görsel 1 (1200x1800)", "image_1"],
    ["Ana Görsel", "image_1"],
    ["Ürün Kodu (SKU)", "product_code"],
    ["Ürün Kodu (benzersiz)", "product_code"],
    ["Başlık (TR)", "title"],
    ["Başlık (max. 100 karakter)", "title"],
    ["Ürün Adı (Title)", "title"],
    ["Kategori (ID)", "category"],
    ["Kategori [yol]", "category"],
    ["KDV Oranı (%)", "never-sent"],
    ["KDV Oranı %", "never-sent"],
    ["Desi (kg)", "never-sent"],
  ];
  it.each(cases)("maps “%s” to %s", (header, expected) => expect(read(header)).toBe(expected));

  it.each(["Satış Fiyatı (KDV Dahil)", "Fiyat (TL)", "Fiyat ₺", "KDV Dahil Fiyat"])(
    "gives “%s” a higher rank than every header without an addition",
    (header) => {
      const ranks = ["Fiyat", "Satış Fiyatı", "Üretici"].map((bare) => matcher.match(bare).rank);

      expect(matcher.match(header).rank).toBeGreaterThan(Math.max(...ranks));
    },
  );
});

describe("a header that suppliers use for something else", () => {
  it.each([
    ["Birim Fiyat", "asked price"],
    ["Birim Fiyat (TL)", "asked price"],
    ["BİRİM FİYAT", "asked price"],
    ["Liste Fiyatı", "asked list_price"],
    ["Adet", "asked stock"],
    ["Miktar", "asked stock"],
    ["Miktar (Adet)", "asked stock"],
    ["Quantity", "stock"],
    ["Qty", "stock"],
  ])("is asked about only where it is in doubt: “%s” is %s", (header, expected) => {
    expect(read(header)).toBe(expected);
  });
});

describe("a second price", () => {
  it.each(
    lines(`
    Sale price;sale_price;special_price;İndirimli Satış Fiyatı;Kampanya Fiyatı
    Kampanyalı Fiyat;Fiyat (İndirimli);Fiyat - Kampanya;Sepette İndirimli Fiyat
    Promosyon Fiyatı;Trendyol İndirimli Fiyat;Discount price;Perakende Satış Fiyatı
  `),
  )("is asked about under “%s”", (header) => expect(read(header)).toMatch(/^asked/u));

  it.each(
    lines(`
    Sale price dates from;sale_price_effective_date;İndirimli Fiyat Başlangıç Tarihi
    Wholesale price;Alış Fiyatı;Piyasa Fiyatı;Recommended retail price;On sale
    Special price from date;Kampanya Adı;Kampanya Fiyat Türü;Compare at price
  `),
  )("is not seen in “%s”", (header) => expect(read(header)).not.toMatch(/^asked/u));
});

it("treats only this program's exact text as its own header", () => {
  const own = ["Garanti Tipi", "GARANTİ TİPİ *", "warranty_type", "Warranty Type", "Discount Type"];
  const others = ["Garanti", "Garanti Türü", "discountType", "warrantyType"];

  expect(own.map((header) => matcher.match(header).isOwn)).toEqual(own.map(() => true));
  expect(others.map((header) => matcher.match(header).isOwn)).toEqual(others.map(() => false));
});
