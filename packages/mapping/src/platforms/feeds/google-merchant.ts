import type { PlatformFields, PlatformProfile, PlatformStock, PlatformWords } from "../platform.ts";

/** Fields that Google and Facebook name alike. */
export const FEED_FIELDS: PlatformFields = {
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
export const FEED_MARKS: readonly string[] = [
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
export const FEED_NOT_SENT: readonly string[] = [
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
export const FEED_STOCK: PlatformStock = {
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
export const FEED_WORDS: PlatformWords = {
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
