/** Files of accounting programs, and feeds of products. */

import type { PlatformFields, PlatformProfile, PlatformStock, PlatformWords } from "./platform.ts";

/** Stock list of Mikro. It does not say whether its sale prices include tax. */
export const MIKRO: PlatformProfile = {
  name: "mikro",
  label: "Mikro",
  marks: [
    "STOK CİNSİ",
    "ELDEKİ MİKTAR",
    "SATIŞ FİYATI 1",
    "MARKA KODU",
    "KATEGORİ KODU",
    "RAF KODU",
  ],
  fields: {
    product_code: ["STOK KODU"],
    title: ["STOK ADI", "STOK İSMİ"],
    stock: ["ELDEKİ MİKTAR"],
    currency: ["DÖVİZ CİNSİ"],
  },
  unsure: {
    price: ["SATIŞ FİYATI 1"],
  },
  ids: [],
  notSent: [
    "STOK CİNSİ",
    "BİRİM",
    "MARKA KODU",
    "KATEGORİ KODU",
    "SATIŞ FİYATI 2",
    "SATIŞ FİYATI 3",
    "ALIŞ FİYATI",
    "RAF KODU",
    "SEVİYE",
  ],
};

/** Stock list of Logo. Which of its stocks may be sold, and whether its price is that of a sale, the list does not say. */
export const LOGO: PlatformProfile = {
  name: "logo",
  label: "Logo",
  marks: [
    "Malzeme Kodu",
    "Malzeme Açıklaması",
    "Malzeme Türü",
    "Ana Birim",
    "Fiili Stok",
    "Gerçek Stok",
  ],
  fields: {
    product_code: ["Malzeme Kodu"],
    title: ["Malzeme Açıklaması"],
    currency: ["Döviz Türü"],
  },
  unsure: {
    stock: ["Fiili Stok", "Gerçek Stok"],
    price: ["Birim Fiyat"],
  },
  ids: [],
  notSent: ["Malzeme Türü", "Grup Kodu", "Özel Kod", "Ana Birim", "Ambar", "Miktar", "Marka Kodu"],
};

/** Product list of Nebim V3. Colours and sizes of a product have one code, so that they need a column of their own. */
export const NEBIM: PlatformProfile = {
  name: "nebim",
  label: "Nebim",
  marks: [
    "Ürün Hiyerarşisi",
    "Envanter",
    "Renk Kodu",
    "Renk Açıklaması",
    "Perakende Satış Fiyatı",
    "Ürün Açıklaması",
  ],
  fields: {
    product_code: ["Ürün Kodu"],
    title: ["Ürün Açıklaması"],
    stock: ["Envanter"],
    currency: ["Para Birimi"],
  },
  unsure: {
    price: ["Perakende Satış Fiyatı", "Fiyat"],
  },
  doubts: [{ field: "product_code", when: ["Renk Kodu", "Beden"], is: "filled" }],
  ids: [],
  notSent: ["Renk Kodu", "Renk Açıklaması", "Ürün Hiyerarşisi", "Sezon"],
};

/** Table of products and services of Paraşüt, whose prices may be without tax. */
export const PARASUT: PlatformProfile = {
  name: "parasut",
  label: "Paraşüt",
  marks: ["Ürün/Hizmet Adı", "Ürün/Hizmet Kodu", "GTIP", "Alış Döviz", "Satış Döviz", "ÖTV"],
  fields: {
    product_code: ["Ürün/Hizmet Kodu"],
    title: ["Ürün/Hizmet Adı"],
    currency: ["Satış Döviz"],
  },
  unsure: {
    price: ["Satış Fiyatı"],
  },
  ids: [],
  notSent: ["GTIP", "Birim", "Alış Fiyatı", "Alış Döviz", "ÖTV", "Etiket"],
};

/** Fields that Google and Facebook name alike. */
const FEED_FIELDS: PlatformFields = {
  title: ["title"],
  description: ["description"],
  brand: ["brand"],
  category: ["product_type"],
  price: ["price"],
  sale_price: ["sale_price"],
  condition: ["condition"],
  image_1: ["image_link"],
  images: ["additional_image_link"],
};

/** Headers that both feeds have and few other files. */
const FEED_MARKS: readonly string[] = [
  "image_link",
  "additional_image_link",
  "google_product_category",
  "item_group_id",
  "sale_price_effective_date",
  "availability",
  "link",
  "gtin",
  "mpn",
  "product_type",
];

/** Headers of both feeds that no call takes. */
const FEED_NOT_SENT: readonly string[] = [
  "link",
  "availability",
  "sale_price_effective_date",
  "gtin",
  "mpn",
  "item_group_id",
  "age_group",
  "shipping",
  "shipping(…",
  "shipping_weight",
  "custom_label_…",
];

/** The availability of both feeds; what is ordered in advance is in no stock yet. */
const FEED_STOCK: PlatformStock = {
  state: ["availability"],
  none: [
    "out_of_stock",
    "out of stock",
    "outofstock",
    "discontinued",
    "preorder",
    "pre_order",
    "pre-order",
    "backorder",
    "pending",
    "mark_as_sold",
    "sold",
  ],
};

/** The conditions of both feeds. Refurbished goods are neither; a person decides. */
const FEED_WORDS: PlatformWords = {
  condition: {
    used: ["used_like_new", "used like new", "used_good", "used good", "used_fair", "used fair"],
  },
};

/** Product feed of Google Merchant Center; Meta takes its columns as well. */
export const GOOGLE_MERCHANT: PlatformProfile = {
  name: "google-merchant",
  label: "Google Merchant / Meta",
  marks: [...FEED_MARKS, "identifier_exists"],
  needs: ["availability", "image_link"],
  fields: FEED_FIELDS,
  // The shop's own id of the item: the stock code in most feeds, a number of the shop in others.
  unsure: { product_code: ["id"] },
  salePeriod: { spans: ["sale_price_effective_date"] },
  stock: FEED_STOCK,
  words: FEED_WORDS,
  ids: ["google_product_category"],
  notSent: [...FEED_NOT_SENT, "identifier_exists"],
};

/** Headers that the feeds of Google do not have. */
const OWN_MARKS: readonly string[] = [
  "quantity_to_sell_on_facebook",
  "fb_product_category",
  "rich_text_description",
  "video[0].url",
  "product_tags[0]",
  "style[0]",
];

/** Product catalog of Facebook and Instagram (Meta Commerce). */
export const FACEBOOK: PlatformProfile = {
  name: "facebook",
  label: "Facebook",
  marks: [...FEED_MARKS, ...OWN_MARKS],
  needs: OWN_MARKS,
  fields: { ...FEED_FIELDS, stock: ["quantity_to_sell_on_facebook", "inventory"] },
  unsure: { product_code: ["id"] },
  salePeriod: { spans: ["sale_price_effective_date"] },
  stock: FEED_STOCK,
  words: FEED_WORDS,
  statuses: [
    { headers: ["status"], unpublished: ["archived"] },
    { headers: ["visibility"], unpublished: ["hidden", "staging"] },
  ],
  ids: ["google_product_category", "fb_product_category"],
  notSent: [...FEED_NOT_SENT, "status", "visibility", "style[0]", "product_tags[…", "video[…"],
};
