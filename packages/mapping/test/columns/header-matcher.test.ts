import { describe, expect, it } from "vitest";

import { createHeaderMatcher } from "../../src/columns/header-matcher.ts";

const matcher = createHeaderMatcher();

const brief = (header: string): string => {
  const { target } = matcher.match(header);
  if (target.kind === "field") return `${target.field}${target.discountType ?? ""}`;
  if (target.kind === "property") return `property ${target.name}`;
  return target.kind === "unknown" ? `? ${target.suggestion ?? ""}`.trim() : target.kind;
};

describe("createHeaderMatcher", () => {
  const cases: readonly (readonly [string, string])[] = [
    ["FİYAT *", "price"],
    ["fiyat", "price"],
    ["Fiyat (TL)", "price"],
    ["Fiyat [KDV Dahil]", "price"],
    ["Fiyat (KDV Hariç)", "?"],
    ["Fiyat (İndirimli)", "?"],
    ["URUN ADI", "title"],
    ["Ürün  Adı", "title"],
    ["Görsel1", "image_1"],
    ["Resim 3", "image_3"],
    ["Garanti(Ay)", "warranty_period"],
    ["Garanti", "warranty_type"],
    ["İndirim", "discount_value"],
    ["İndirim Tutarı", "discount_value1"],
    ["İndirim Oranı (%)", "discount_value2"],
    ["İndirimli Fiyat", "discount_value3"],
    ["Ürün ID", "product_id"],
    ["Durum", "never-sent"],
    ["Durum (Sıfır/İkinci El)", "condition"],
    ["Ürün Durumu", "? condition"],
    ["Model Kodu", "? brand_model"],
    ["Kısa Açıklama", "? sub_title"],
    ["Barkod", "never-sent"],
    ["KDV Oranı (%)", "never-sent"],
    ["Hata Kodu", "own-result"],
    ["Result", "own-result"],
    ["Özellik: Renk *", "property Renk"],
    ["property:Renk", "property Renk"],
    ["PROPERTY : Beden", "property Beden"],
    ["Ffiyat", "? price"],
    ["Aciklma", "? description"],
    ["Renk", "?"],
    ["it", "?"],
    ["qt", "?"],
    ["skv", "?"],
  ];
  for (const [header, expected] of cases) {
    it(`maps ${header} to ${expected}`, () => expect(brief(header)).toBe(expected));
  }
});
