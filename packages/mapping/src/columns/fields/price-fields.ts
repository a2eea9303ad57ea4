import type { DiscountType } from "@catalog/contract";

import {
  aliases,
  defineField,
  doubtful,
  type FieldAlias,
  type FieldDefinition,
  RANK,
} from "./field.ts";

const discount = (discountType: DiscountType, ...texts: readonly string[]): readonly FieldAlias[] =>
  texts.map((text) => ({ text, rank: RANK.alias, discountType }));

/** Headers that suppliers use for the dealer discount, which must not be shown to buyers. */
const tradeDiscount = (
  discountType: DiscountType,
  ...texts: readonly string[]
): readonly FieldAlias[] =>
  texts.map((text) => ({ text, rank: RANK.alias, discountType, doubt: "trade-list" }));

/** Fields of price and discount. Amounts in files are in major units. */
export const PRICE_FIELDS: readonly FieldDefinition[] = [
  defineField({
    key: "currency",
    header: { tr: "Para Birimi", en: "Currency" },
    aliases: [
      ...aliases(RANK.alias, "Döviz", "Kur Birimi", "Döviz Cinsi", "Döviz Kodu", "Döviz Türü"),
      ...aliases(RANK.alias, "Döviz Tipi", "Döviz Birimi", "Para Br", "Para Cinsi"),
      ...aliases(RANK.alias, "Para Birimi Kodu", "Currency Code", "Currency Abbr"),
      ...aliases(RANK.alias, "Fiyat Para Birimi", "Satış Para Birimi", "Price Currency"),
    ],
    apiFields: ["currency"],
    kind: "words",
    help: { tr: "TL, USD ya da EUR; boşsa TL.", en: "TL, USD or EUR; TL when empty." },
    example: { tr: "TL", en: "TL" },
  }),
  defineField({
    key: "price",
    header: { tr: "Fiyat", en: "Price" },
    aliases: [
      ...aliases(RANK.alias, "Satış Fiyatı", "Mağaza Satış Fiyatı", "Satılacak Fiyat"),
      ...aliases(RANK.alias, "Trendyol'da Satılacak Fiyat", "Selling Price", "Product Price"),
      ...aliases(RANK.alias, "Ürün Fiyatı", "Satış Fiyat", "Ürün Satış Fiyatı"),
      // Suppliers use this header for the price that the seller pays per piece.
      ...doubtful("uncertain", "Birim Fiyat"),
    ],
    suggestOnly: ["Birim Fiyatı", "Unit Price"],
    requiredForAdd: true,
    documentedForUpdate: true,
    apiFields: ["price"],
    kind: "money",
    help: {
      tr: "KDV dahil satış fiyatı, en çok iki ondalık basamakla.",
      en: "The selling price with tax, with at most two decimals.",
    },
    example: { tr: "129,90", en: "129.90" },
  }),
  defineField({
    key: "list_price",
    header: { tr: "Piyasa Fiyatı", en: "List Price" },
    aliases: [
      ...aliases(RANK.alias, "Piyasa Satış Fiyatı", "Eski Fiyat", "Üstü Çizili Fiyat"),
      // In a supplier's list it is the price before the dealer discount.
      ...doubtful("uncertain", "Liste Fiyatı"),
    ],
    apiFields: ["price", "has_discount", "discount_type", "discount_value"],
    kind: "money",
    help: {
      tr: "Üstü çizili fiyat; doluysa Fiyat, indirimli fiyat olarak gönderilir.",
      en: "The struck-out price; when given, the price is sent as the discounted one.",
    },
    example: { tr: "159,90", en: "159.90" },
  }),
  defineField({
    key: "discount_type",
    header: { tr: "İndirim Tipi", en: "Discount Type" },
    aliases: aliases(RANK.alias, "İndirim Türü"),
    apiFields: ["has_discount", "discount_type"],
    kind: "words",
    help: {
      tr: "İndirim Değeri sütunundaki sayının ne olduğu.",
      en: "What the number in the discount value is.",
    },
    example: { tr: "İndirim Oranı (%)", en: "Percent off" },
  }),
  defineField({
    key: "discount_value",
    header: { tr: "İndirim Değeri", en: "Discount Value" },
    aliases: [
      ...doubtful("trade-list", "İndirim"),
      ...tradeDiscount(1, "İndirim Tutarı", "Amount Off"),
      ...tradeDiscount(2, "İndirim Oranı", "Percent Off", "İndirim %", "% İndirim"),
      ...discount(3, "İndirimli Fiyat", "Discounted Price"),
    ],
    apiFields: ["discount_value"],
    kind: "number",
    help: {
      tr: "Tutar, 1 ile 99 arasında oran ya da indirimli fiyat; tipine göre.",
      en: "An amount, a rate from 1 to 99 or the discounted price, by its type.",
    },
    example: { tr: "10", en: "10" },
  }),
];
