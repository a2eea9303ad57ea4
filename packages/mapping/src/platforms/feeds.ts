/**
 * Feeds of products: what shops publish for search engines, price comparisons, integrators and
 * dealers, as sheets, XML or JSON. The feeds of single shop systems stand with their shops.
 */

import type { PlatformFields, PlatformProfile, PlatformStock, PlatformWords } from "./platform.ts";

/** A header as tables have it, and with the prefix that it has in RSS and Atom. */
const prefixed = (...headers: readonly string[]): readonly string[] =>
  headers.flatMap((header) => [header, `g:${header}`]);

/** Fields that Google and Facebook name alike. */
const FEED_FIELDS: PlatformFields = {
  title: prefixed("title"),
  description: [...prefixed("description"), "summary"],
  brand: prefixed("brand"),
  category: prefixed("product_type"),
  price: prefixed("price"),
  sale_price: prefixed("sale_price"),
  condition: prefixed("condition"),
  image_1: prefixed("image_link"),
  images: prefixed("additional_image_link"),
};

/** Headers that both feeds have and few other files. */
const FEED_MARKS: readonly string[] = [
  "link/@href",
  ...prefixed(
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
  ),
];

/** Headers of both feeds that no call takes. */
const FEED_NOT_SENT: readonly string[] = [
  ...prefixed(
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
  ),
  "g:shipping/…",
  "link/@href",
];

/** The availability of both feeds; what is ordered in advance is in no stock yet. */
const FEED_STOCK: PlatformStock = {
  state: prefixed("availability"),
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

/** The elements of a product in RSS 2.0 and in Atom. */
const FEED_RECORDS: readonly string[] = ["channel/item", "feed/entry"];

/** Product feed of Google Merchant Center; Meta takes its columns as well. */
export const GOOGLE_MERCHANT: PlatformProfile = {
  name: "google-merchant",
  sources: [
    "https://support.google.com/merchants/answer/7052112",
    "https://support.google.com/merchants/answer/160589",
  ],
  label: "Google Merchant / Meta",
  marks: [...FEED_MARKS, ...prefixed("identifier_exists")],
  needs: prefixed("availability", "image_link"),
  fields: FEED_FIELDS,
  // The shop's own id of the item: the stock code in most feeds, a number of the shop in others.
  unsure: { product_code: prefixed("id") },
  salePeriod: { spans: prefixed("sale_price_effective_date") },
  stock: FEED_STOCK,
  words: FEED_WORDS,
  nested: { records: FEED_RECORDS },
  ids: prefixed("google_product_category"),
  notSent: [...FEED_NOT_SENT, ...prefixed("identifier_exists")],
};

/** Headers that the feeds of Google do not have. */
const OWN_MARKS: readonly string[] = prefixed(
  "quantity_to_sell_on_facebook",
  "fb_product_category",
  "rich_text_description",
  "video[0].url",
  "product_tags[0]",
  "style[0]",
);

/** Product catalog of Facebook and Instagram (Meta Commerce). */
export const FACEBOOK: PlatformProfile = {
  name: "facebook",
  sources: ["https://developers.facebook.com/docs/marketing-api/catalog/reference"],
  label: "Facebook",
  marks: [...FEED_MARKS, ...OWN_MARKS],
  needs: OWN_MARKS,
  fields: { ...FEED_FIELDS, stock: prefixed("quantity_to_sell_on_facebook", "inventory") },
  unsure: { product_code: prefixed("id") },
  salePeriod: { spans: prefixed("sale_price_effective_date") },
  stock: FEED_STOCK,
  words: FEED_WORDS,
  nested: { records: FEED_RECORDS },
  statuses: [
    { headers: prefixed("status"), unpublished: ["archived"] },
    { headers: prefixed("visibility"), unpublished: ["hidden", "staging"] },
  ],
  ids: prefixed("google_product_category", "fb_product_category"),
  notSent: [
    ...FEED_NOT_SENT,
    ...prefixed("status", "visibility", "style[0]", "product_tags[…", "video[…"),
  ],
};

/**
 * The feed for Google that OpenCart writes itself. Its prices name no currency: they are in that of
 * the visit where it is USD, EUR or GBP, and in USD otherwise.
 */
export const OPENCART_FEED: PlatformProfile = {
  name: "opencart-feed",
  sources: [
    "github.com/opencart/opencart upload/catalog/controller/extension/feed/google_base.php",
  ],
  label: "OpenCart (Google Base)",
  marks: [...FEED_MARKS, "g:model_number", "g:quantity", "g:upc", "g:ean", "g:weight"],
  needs: ["g:model_number"],
  fields: { ...FEED_FIELDS, stock: ["g:quantity"] },
  // The id is the number of the row in the shop's database, the model the code of the shop.
  unsure: { product_code: ["g:model_number"] },
  currency: "other",
  stock: FEED_STOCK,
  words: FEED_WORDS,
  nested: { records: FEED_RECORDS },
  ids: ["g:id", "g:google_product_category"],
  notSent: [...FEED_NOT_SENT, "g:identifier_exists", "g:upc", "g:ean", "g:weight"],
};

/** Product feed of Akakçe. */
export const AKAKCE: PlatformProfile = {
  name: "akakce",
  sources: [
    "https://github.com/SM-Laravel/Akakce/files/941214/akakce_kolay_siparis_feed_v2-1_17122016.pdf",
  ],
  label: "Akakçe",
  marks: [
    "imgUrl",
    "additionalimages/imgUrl",
    "shipPrice",
    "shipmentVolume",
    "dayOfDelivery",
    "expressDeliveryTime",
    "productBrand",
    "productCategory",
  ],
  fields: {
    product_code: ["sku"],
    title: ["name"],
    description: ["description"],
    brand: ["productBrand"],
    category: ["productCategory"],
    price: ["price"],
    stock: ["quantity"],
    image_1: ["imgUrl"],
    images: ["additionalimages/imgUrl"],
  },
  nested: { records: ["products/product"] },
  ids: [],
  notSent: [
    "url",
    "distributor",
    "shipPrice",
    "shipmentVolume",
    "dayOfDelivery",
    "expressDeliveryTime",
    "barcode",
  ],
};

/** Product feed of Cimri. Its text of an item is a title in some shops and a description in others. */
export const CIMRI: PlatformProfile = {
  name: "cimri",
  sources: [
    "github.com/unbelievable-digital/cimri-woocommerce-xml-plugin cimri-xml.php",
    "http://www.cimri.com/schema/merchant/upload the namespace of its elements",
  ],
  label: "Cimri",
  marks: [
    "merchantItemId",
    "merchantItemCategoryId",
    "merchantItemCategoryName",
    "merchantItemField",
    "itemTitle",
    "itemUrl",
    "itemImageUrl",
    "priceEft",
    "pricePlusTax",
    "stockStatus",
    "shippingFee",
  ],
  fields: {
    title: ["itemTitle"],
    brand: ["brand"],
    category: ["merchantItemCategoryName"],
    price: ["pricePlusTax"],
    image_1: ["itemImageUrl"],
  },
  // The shop's number of the item, and the number in stock or only whether there is any.
  unsure: { product_code: ["merchantItemId"], stock: ["stockStatus"] },
  nested: { records: ["MerchantItems/MerchantItem"] },
  ids: ["merchantItemCategoryId"],
  // The other prices are those of a bank transfer and of instalments.
  notSent: [
    "priceEft",
    "price3T",
    "price6T",
    "price9T",
    "price12T",
    "price24T",
    "itemUrl",
    "itemUrlMobile",
    "shippingFee",
    "shippingDay",
    "shippingDetail",
    "stockDetail",
    "eans/ean",
    "ean",
    "mpnValue",
    "mpnType",
  ],
};

/** Source of products of StockMount. Its prices include tax. */
export const STOCKMOUNT: PlatformProfile = {
  name: "stockmount",
  sources: [
    "http://xmldestek.com/stockmount-xml-entegrasyon",
    "https://www.stockmount.com/en-tr/how-to-upload-product-source-to-stockmount.html",
  ],
  label: "StockMount",
  marks: [
    "ProductCode",
    "ProductName",
    "TaxRate",
    "Volume",
    "Image5",
    "VariantCode",
    "VariantQuantity",
    "VariantPrice",
    "VariantName1",
    "VariantValue1",
  ],
  needs: ["Volume", "VariantCode"],
  fields: {
    product_code: ["VariantCode", "ProductCode"],
    title: ["ProductName"],
    description: ["Description"],
    brand: ["Brand"],
    brand_model: ["Model"],
    category: ["Category"],
    currency: ["Currency"],
    price: ["VariantPrice", "Price"],
    stock: ["VariantQuantity", "Quantity"],
    image_1: ["Image1"],
    image_2: ["Image2"],
    image_3: ["Image3"],
    image_4: ["Image4"],
    image_5: ["Image5"],
  },
  nested: {
    records: ["Products/Product", "Product/Variants/Variant"],
    options: [["VariantValue1"], ["VariantValue2"], ["VariantValue3"]],
  },
  ids: [],
  notSent: [
    "TaxRate",
    "Barcode",
    "VariantBarcode",
    "Volume",
    "VariantName1",
    "VariantName2",
    "VariantName3",
  ],
};

/** Import model of PraPazar. */
export const PRAPAZAR: PlatformProfile = {
  name: "prapazar",
  sources: ["https://prapazar.com/tr/sss-detay/xml-urun-yukleme-ve-guncelleme"],
  label: "PraPazar",
  marks: [
    "CategoryBreadCrumb",
    "StockAmount",
    "PriceInclusiveVat",
    "VolumetricWeight",
    "WarrantyMonths",
    "ShortDescription",
    "VatRate",
    "Rack",
    "Images/Image/ImageUrl",
  ],
  needs: ["CategoryBreadCrumb", "PriceInclusiveVat"],
  fields: {
    product_code: ["StockCode"],
    title: ["Name"],
    sub_title: ["ShortDescription"],
    description: ["Description"],
    brand: ["Brand"],
    category: ["CategoryBreadCrumb"],
    currency: ["CurrencyCode"],
    price: ["PriceInclusiveVat"],
    stock: ["StockAmount"],
    warranty_period: ["WarrantyMonths"],
    images: ["Images/Image/ImageUrl"],
  },
  nested: {
    records: [
      "ArrayOfImportProductModel/ImportProductModel",
      "ImportProductModel/ProductVariantGroups/ProductVariantGroup",
    ],
    options: [["ProductVariants/ProductVariant/VariantValue"]],
  },
  ids: [],
  notSent: [
    "VatRate",
    "Gtin",
    "Mpn",
    "Width",
    "Length",
    "Height",
    "Weight",
    "VolumetricWeight",
    "Rack",
    "Tags",
    "Images/Image/Order",
    "ProductVariants/ProductVariant/VariantName",
  ],
};

/**
 * The dealer feed with Turkish element names that many suppliers publish. Whether its price is that of
 * the buyer and includes tax, it does not say.
 */
export const DEALER_FEED: PlatformProfile = {
  name: "bayi-xml",
  sources: ["github.com/thatteknoloji/enaunity_thyronix_panel scripts/data/bezos-bayi-sample.xml"],
  label: "Bayi XML",
  marks: [
    "urun_id",
    "isim",
    "kategori_ismi",
    "kategori_tree",
    "alis_fiyat",
    "pb",
    "resimler/resim",
  ],
  needs: ["kategori_ismi", "kategori_tree", "alis_fiyat"],
  fields: {
    product_code: ["stok_kodu"],
    title: ["isim"],
    description: ["aciklama"],
    brand: ["marka"],
    brand_model: ["model"],
    category: ["kategori_tree", "kategori_ismi"],
    currency: ["pb"],
    stock: ["stok"],
    warranty_period: ["garanti"],
    image_1: ["resim"],
    images: ["resimler/resim"],
  },
  unsure: { price: ["fiyat"] },
  nested: { records: ["urunler/urun"] },
  statuses: [{ headers: ["durum"], unpublished: ["0"] }],
  ids: ["urun_id"],
  notSent: ["barkod", "alis_fiyat", "kdv", "desi", "durum", "url"],
};

/** Catalog of Yandex Market. It names categories by their numbers in a list of its own. */
export const YANDEX_YML: PlatformProfile = {
  name: "yandex-yml",
  sources: [
    "https://yandex.com/support/direct/feeds/requirements-yml.html",
    "https://yandex.ru/support/marketplace/tools/elements/",
  ],
  label: "Yandex YML",
  marks: [
    "@available",
    "@group_id",
    "currencyId",
    "categoryId",
    "picture",
    "oldprice",
    "vendor",
    "vendorCode",
    "typePrefix",
    "sales_notes",
    "param",
    "param/@name",
  ],
  needs: ["currencyId", "categoryId", "vendorCode"],
  fields: {
    title: ["name"],
    description: ["description"],
    brand: ["vendor"],
    category: ["categoryId"],
    currency: ["currencyId"],
    price: ["price"],
    list_price: ["oldprice"],
    stock: ["count"],
    images: ["picture"],
  },
  // The shop's own id of the offer, which few shops take from their stock codes.
  unsure: { product_code: ["@id"] },
  stock: { state: ["@available"], none: ["false"] },
  nested: { records: ["offers/offer"] },
  ids: ["@group_id", "@type"],
  notSent: [
    "@available",
    "@bid",
    "url",
    "vendorCode",
    "barcode",
    "param",
    "param/@name",
    "param/@unit",
    "sales_notes",
    "delivery",
    "pickup",
    "store",
    "vat",
    "weight",
    "dimensions",
    "country_of_origin",
    "manufacturer_warranty",
    "purchase_price",
  ],
};

/** Offer feed of Heureka. Its prices are in the currency of the country, which it does not name. */
export const HEUREKA: PlatformProfile = {
  name: "heureka",
  sources: [
    "https://heureka.github.io/xml-feed-specs",
    "https://sluzby.heureka.sk/napoveda/xml-feed",
  ],
  label: "Heureka",
  marks: [
    "ITEM_ID",
    "PRODUCTNAME",
    "PRICE_VAT",
    "CATEGORYTEXT",
    "IMGURL",
    "IMGURL_ALTERNATIVE",
    "ITEMGROUP_ID",
    "DELIVERY_DATE",
    "HEUREKA_CPC",
    "PRODUCTNO",
  ],
  fields: {
    title: ["PRODUCTNAME"],
    description: ["DESCRIPTION"],
    brand: ["MANUFACTURER"],
    category: ["CATEGORYTEXT"],
    price: ["PRICE_VAT"],
    image_1: ["IMGURL"],
    images: ["IMGURL_ALTERNATIVE"],
  },
  unsure: { product_code: ["ITEM_ID"] },
  currency: "other",
  nested: { records: ["SHOP/SHOPITEM"] },
  ids: ["ITEMGROUP_ID"],
  notSent: [
    "PRODUCT",
    "PRICE",
    "VAT",
    "URL",
    "VIDEO_URL",
    "HEUREKA_CPC",
    "EAN",
    "ISBN",
    "PRODUCTNO",
    "DELIVERY_DATE",
    "DELIVERY/…",
    "PARAM/…",
    "ACCESSORY",
    "GIFT",
  ],
};

/** Product feed of Skroutz, in euros with tax. */
export const SKROUTZ: PlatformProfile = {
  name: "skroutz",
  sources: [
    "https://developer.skroutz.gr/feedspec",
    "github.com/stereobit-networlds/phpdac7 vendor/process/async/img/aidonitsa.php",
  ],
  label: "Skroutz",
  marks: ["price_with_vat", "instock", "manufacturer", "mpn", "availability", "uniqueid"],
  needs: ["price_with_vat"],
  fields: {
    title: ["name"],
    description: ["description", "descr"],
    brand: ["manufacturer"],
    category: ["category"],
    price: ["price_with_vat"],
    stock: ["quantity"],
    image_1: ["image"],
    images: ["additionalimage"],
  },
  unsure: { product_code: ["uniqueid", "id"] },
  currency: "EUR",
  stock: { state: ["instock"], none: ["n"] },
  nested: { records: ["products/product"] },
  ids: [],
  notSent: ["link", "mpn", "ean", "instock", "availability", "weight", "size", "color", "shipping"],
};
