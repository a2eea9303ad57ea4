import { describe, expect, it } from "vitest";

import { createHeaderMatcher } from "../../src/columns/header-matcher.ts";
import { casesOf } from "../helpers/cases-of.ts";

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
  const cases: readonly (readonly [string, string])[] = casesOf({
    price: [
      "Fiyat (TL)|Fiyat [TL]|Fiyat ₺|Fiyat₺|₺ Fiyat|Fiyat TL|TL Fiyat|Fiyat (TRY)|Fiyat *",
      "*Fiyat*|Fiyat (zorunlu)|Fiyat (TL) *|Fiyat (TL, KDV Dahil)|Fiyat (KDV Dahil TL)",
      "Satış Fiyatı (KDV Dahil)|Satış Fiyatı(KDV DAHİL)|SATIS FIYATI (KDV DAHIL)",
      "Satış Fiyatı KDV Dahil|KDV Dahil Satış Fiyatı|SATIŞ FİYATI TL|Fiyat (%20 KDV dahil)",
      "Fiyat (KDV %20 Dahil)|Fiyat (KDV'li)|Fiyat (vergiler dahil)|Price (incl. VAT)",
      "Price (incl. 20% VAT)|Price (VAT incl.)|Price (tax included)|Price (required)",
      "Fiyat (Price)|Fiyat (Satış)|Trendyol'da  Satılacak Fiyat (KDV Dahil)",
    ],
    list_price: "Piyasa Satış Fiyatı (KDV Dahil)|Piyasa Fiyatı (TL)",
    discount_value: "İndirim Oranı (%)|İndirim Oranı %|İndirim (%)|İndirimli Fiyat (TL)",
    stock: "Stok (Adet)|Stok Adet|Stock (pcs)",
    warranty_period: [
      "Garanti Süresi (Ay)|Garanti Süresi - Ay|Garanti(Ay)|Warranty Period (months)",
      "Garanti Süresi (0/12/24/36)",
    ],
    currency: "Para Birimi (TL/USD/EUR)",
    action: "İşlem (Ekle/Güncelle)",
    image_1: "Görsel 1 (URL)|Görsel 1 (1200x1800)|Ana Görsel",
    image_2: "Görsel 2 Link",
    image_3: "Görsel 3 (opsiyonel)",
    product_code: "Ürün Kodu (SKU)|Ürün Kodu (benzersiz)",
    title: "Başlık (TR)|Başlık (max. 100 karakter)|Ürün Adı (Title)",
    category: "Kategori (ID)|Kategori [yol]",
    "never-sent": "KDV Oranı (%)|KDV Oranı %|Desi (kg)",
  });
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
