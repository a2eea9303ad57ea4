/**
 * The fields: every column that is read, with its headers, help and example, and how certainly a
 * header means it.
 */

import type { DiscountType, ProductAdd } from "@catalog/contract";
import type { Localized } from "@catalog/i18n";

import { headerKey } from "../text-keys.ts";
import { VALUE_KEYWORDS, type ValueKeyword } from "../values/keywords.ts";

/** What a column is for. */
export type ColumnTarget =
  | FieldTarget
  | { readonly kind: "property"; readonly name: string }
  /** `cost` is what the seller has paid, which guards and rules use. */
  | { readonly kind: "never-sent"; readonly holds?: "cost" }
  | { readonly kind: "own-result" }
  /** Holds the ids of another system. */
  | { readonly kind: "other-id" }
  /** Left out by a person, refused, or beaten by a column of lower rank. */
  | { readonly kind: "unused" }
  /** `option` is the place of its values in the titles of variants; 0 for that in the file. */
  | { readonly kind: "unknown"; readonly suggestion?: FieldKey; readonly option?: number };

/** The likely target of a column; a lower rank is more certain (see `RANK`). */
export interface HeaderMatch {
  readonly target: ColumnTarget;
  readonly rank: number;
  /** @default no question is asked */
  readonly doubt?: MatchDoubt | undefined;
  /** Whether it is a header or key that this program writes, word for word. @default false */
  readonly isOwn?: boolean | undefined;
  /**
   * Whether the header names the currency of its prices or says that tax is included. @default
   * false
   */
  readonly isTelling?: boolean | undefined;
  /** Whether it is one of several columns that may make up the field together. @default false */
  readonly isPart?: boolean | undefined;
  /** Whether the header is that of the suggested field with an addition. @default false */
  readonly isVariant?: boolean | undefined;
}

/** A column about which a person may have to be asked, and its target if the person confirms it. */
interface MatchDoubt {
  /**
   * `rival`: asked even beside a column of lower rank, because it changes the meaning of that one.
   */
  readonly kind: HeaderDoubt | "rival";
  readonly target: FieldTarget;
  /** Header of the column whose cells raise the doubt. @default the header itself does */
  readonly because?: string | undefined;
}

type ImageNumber = 1 | 2 | 3 | 4 | 5 | 6 | 7 | 8;

/** The machine name of a column that is read. */
export type FieldKey =
  | "action"
  | "product_id"
  | "product_code"
  | "title"
  | "sub_title"
  | "category"
  | "brand"
  | "brand_model"
  | "description"
  | "currency"
  | "price"
  | "list_price"
  | "discount_type"
  | "discount_value"
  | "stock"
  | "warranty_type"
  | "warranty_period"
  | "shipping_template"
  | `image_${ImageNumber}`
  | "images"
  | "condition"
  | "custom_order"
  | "note";

/** A column that gives a field its values. */
export interface FieldTarget {
  readonly kind: "field";
  readonly field: FieldKey;
  /** The kind of discount that the header states by itself. */
  readonly discountType?: DiscountType;
}

/** Another header that means the field. */
export interface FieldAlias {
  readonly text: string;
  /**
   * Rank as in `RANK`: of two columns for one field the lower rank is used; equal ranks are an
   * error.
   */
  readonly rank: number;
  /** The kind of discount that this header states by itself. */
  readonly discountType?: DiscountType;
  /** The header means something else in some files. @default it always means the field */
  readonly doubt?: HeaderDoubt | undefined;
}

/**
 * When a person decides whether a header means its field. `uncertain`: unless a column of lower
 * rank has the field. `trade-list`: likewise, but only in a file that looks like a supplier's price
 * list or order.
 */
type HeaderDoubt = "uncertain" | "trade-list";

/** One column that is read, as a row of the field table. */
export interface FieldDefinition {
  readonly key: FieldKey;
  /** Without the star that marks required fields. */
  readonly header: Localized;
  /** As templates and exports write it, with a star where a new product requires the field. */
  readonly writtenHeader: Localized;
  readonly aliases: readonly FieldAlias[];
  /** Headers that are too uncertain to map; this field is only suggested for them. */
  readonly suggestOnly: readonly string[];
  /** Whether the add call requires it (section Products, add). Of the images any one is enough. */
  readonly requiredForAdd: boolean;
  /**
   * Whether the specification names it among the fields of an update (section Products, update).
   */
  readonly documentedForUpdate: boolean;
  /** Fields of the request body that it sets; empty for columns that are not sent as they are. */
  readonly apiFields: readonly (keyof ProductAdd | "product_id")[];
  /** What a cell of the field holds, for templates and cell formats. */
  readonly kind: "text" | "id" | "name" | "words" | "money" | "number" | "integer" | "image";
  /** The only words that the field accepts. @default any text */
  readonly keywords?: readonly ValueKeyword<unknown>[];
  /**
   * Whether new products without a value may take one that a person has set once: no other field
   * depends on it, and a value that fits one product fits others.
   */
  readonly takesDefault: boolean;
  readonly help: Localized;
  readonly example: Localized;
}

/**
 * How certainly a header means its field; lower is more certain. `chosen` is a person's decision,
 * `platform` what the recognised platform writes. `seller` and `store` headers name the seller's own code where a file also has the platform's code
 * under the field's own header. `weak` headers name something close to the field.
 */
export const RANK = {
  chosen: 0,
  platform: 1,
  seller: 2,
  store: 3,
  header: 4,
  alias: 5,
  weak: 6,
} as const;

/**
 * Added to the rank of a header with a harmless addition, so that a header without one is always
 * preferred.
 */
export const ADDITION_RANK = 10;

/** Makes aliases of one rank. */
export function aliases(rank: number, ...texts: readonly string[]): readonly FieldAlias[] {
  return texts.map((text) => ({ text, rank }));
}

/** Makes aliases about which a person may have to be asked. */
export function doubtful(doubt: HeaderDoubt, ...texts: readonly string[]): readonly FieldAlias[] {
  return texts.map((text) => ({ text, rank: RANK.alias, doubt }));
}

/** What the field table states of a field; the rest has defaults. */
type FieldSpec = Pick<FieldDefinition, "key" | "header" | "kind" | "help" | "example"> &
  Partial<FieldDefinition>;

/** Fills in the defaults: not required, not documented for update, no aliases. */
function defineField(spec: FieldSpec): FieldDefinition {
  const { header, requiredForAdd } = spec;
  const writtenHeader = { tr: `${header.tr} *`, en: `${header.en} *` };
  return {
    writtenHeader: requiredForAdd === true ? writtenHeader : header,
    aliases: [],
    suggestOnly: [],
    requiredForAdd: false,
    documentedForUpdate: false,
    apiFields: [],
    takesDefault: false,
    ...spec,
  };
}

/** The answer that leaves a column out. */
export const LEAVE_OUT = "-";

/** One column of the file and what it is for. */
export interface Column {
  readonly index: number;
  readonly letter: string;
  /** As it stands in the file, trimmed. */
  readonly header: string;
  readonly target: ColumnTarget;
  /** The one store that the column is for. @default it is for all stores */
  readonly only?: OnlyStore | undefined;
}

/** What a column is whose header names a store. */
export interface OnlyStore {
  readonly store: string;
  /** The header without the store's name. */
  readonly base: string;
  /** What the column is for in that store; elsewhere it is not used. */
  readonly target: ColumnTarget;
  /** Whether the column has its target by itself, because no common column has it. */
  readonly isAlone: boolean;
  /**
   * Index of the common column whose cells its filled cells replace; `undefined` in other stores, and
   * for a column that has its target by itself.
   */
  readonly over: number | undefined;
}

/** Fields that identify and describe a product. */
const PRODUCT_FIELDS: readonly FieldDefinition[] = [
  defineField({
    key: "action",
    header: { tr: "İşlem", en: "Action" },
    aliases: aliases(RANK.alias, "mode"),
    kind: "words",
    keywords: VALUE_KEYWORDS.action,
    help: {
      tr: "Boş bırakılırsa ürün kodu tanınan satırlar güncellenir, ötekiler eklenir.",
      en: "Left empty, rows with a known product code are updated and the others added.",
    },
    example: { tr: "Otomatik", en: "Automatic" },
  }),
  defineField({
    key: "product_id",
    header: { tr: "Ürün ID", en: "Product ID" },
    aliases: aliases(RANK.alias, "Platform Ürün ID", "Ürün No", "id"),
    documentedForUpdate: true,
    apiFields: ["product_id"],
    kind: "id",
    help: {
      tr: "Pazaryerinin verdiği ID; bilmiyorsanız boş bırakın.",
      en: "The marketplace's id; leave it empty if you do not know it.",
    },
    example: { tr: "5f1a2b3c4d5e6f7a8b9c0d1e", en: "5f1a2b3c4d5e6f7a8b9c0d1e" },
  }),
  defineField({
    key: "product_code",
    header: { tr: "Ürün Kodu", en: "Product Code" },
    aliases: [
      ...aliases(RANK.seller, "Mağaza Ürün Kodu"),
      ...aliases(RANK.store, "Mağaza Stok Kodu", "Satıcı Stok Kodu", "Tedarikçi Stok Kodu"),
      ...aliases(RANK.store, "Merchant SKU", "Seller SKU", "sellerCode"),
      // Same rank as the field's own header: in a file with both, the user decides which is the
      // seller's code.
      ...aliases(RANK.header, "Stok Kodu"),
      ...aliases(RANK.alias, "SKU", "Stok Kod", "Ürün Kod", "Stok Kart Kodu", "Malzeme Kodu"),
      ...aliases(RANK.alias, "Item Code", "Stock Code", "Product SKU", "SKU Code", "Item SKU"),
      // Programs of warehouses name their only code so.
      ...aliases(RANK.weak, "Kod", "Kodu", "Code"),
    ],
    requiredForAdd: true,
    apiFields: ["product_code"],
    kind: "text",
    help: {
      tr: "Sizin ürün kodunuz; dosyada her kod bir kez geçmeli. Sütun biçimi Metin olmalı.",
      en: "Your own product code, once in the file. Format the column as text.",
    },
    example: { tr: "KSK-0012", en: "SPN-0012" },
  }),
  defineField({
    key: "title",
    header: { tr: "Başlık", en: "Title" },
    aliases: [
      ...aliases(
        RANK.alias,
        "Ürün Adı",
        "Ürün Başlığı",
        "Ürün İsmi",
        "Name",
        "Ürün Ad",
        "Stok Adı",
      ),
      ...aliases(RANK.alias, "Stok İsmi", "Stok Kartı Adı", "Malzeme Adı", "Product Name"),
      ...aliases(RANK.alias, "Product Title", "Item Name", "Item Title"),
      ...aliases(RANK.weak, "Ürün", "Product"),
    ],
    requiredForAdd: true,
    documentedForUpdate: true,
    apiFields: ["title"],
    kind: "text",
    help: { tr: "Ürünün adı.", en: "The name of the product." },
    example: { tr: "Ahşap Kaşık 30 cm", en: "Wooden Spoon 30 cm" },
  }),
  defineField({
    key: "sub_title",
    header: { tr: "Alt Başlık", en: "Subtitle" },
    suggestOnly: ["Kısa Açıklama"],
    requiredForAdd: true,
    documentedForUpdate: true,
    apiFields: ["sub_title"],
    kind: "text",
    takesDefault: true,
    help: { tr: "Başlığın altındaki kısa tanıtım.", en: "The short line below the title." },
    example: { tr: "El yapımı, kayın ağacı", en: "Hand made, beech wood" },
  }),
  defineField({
    key: "category",
    header: { tr: "Kategori", en: "Category" },
    aliases: [
      ...aliases(RANK.alias, "Kategori İsmi", "Kategori Adı", "Kategori Yolu", "Kategori ID"),
      ...aliases(RANK.alias, "Category Path", "Category ID"),
      ...aliases(RANK.alias, "Category Name", "Ürün Kategorisi"),
    ],
    requiredForAdd: true,
    apiFields: ["category_id"],
    kind: "name",
    help: {
      tr: "Kategorinin yolu, başka kategoride geçmeyen adı ya da ID değeri.",
      en: "The path of the category, its name if no other has it, or its id.",
    },
    example: { tr: "Ev > Mutfak > Kaşık", en: "Home > Kitchen > Spoon" },
  }),
  defineField({
    key: "brand",
    header: { tr: "Marka", en: "Brand" },
    aliases: [
      ...aliases(RANK.alias, "Marka Adı", "Marka ID", "Brand ID", "Brand Name"),
      ...aliases(RANK.alias, "Marka İsmi", "Ürün Markası", "Product Brand"),
      // The manufacturer is not the brand in a file that has both.
      ...aliases(RANK.weak, "Üretici", "Manufacturer"),
    ],
    requiredForAdd: true,
    documentedForUpdate: true,
    apiFields: ["brand_id"],
    kind: "name",
    help: {
      tr: "Markanın adı ya da ID değeri; markalar kategoriye göre listelenir.",
      en: "The brand's name or id; brands are listed by category.",
    },
    example: { tr: "Kuzey Ahşap", en: "Kuzey Ahşap" },
  }),
  defineField({
    key: "brand_model",
    header: { tr: "Model", en: "Model" },
    aliases: aliases(RANK.alias, "Marka Modeli", "Model Adı", "Brand Model"),
    suggestOnly: ["Model Kodu"],
    requiredForAdd: true,
    documentedForUpdate: true,
    apiFields: ["brand_model"],
    kind: "name",
    takesDefault: true,
    help: {
      tr: "Modelin adı ya da ID değeri; listede yoksa serbest metin yazılabilir.",
      en: "The model's name or id; one that is not listed may be typed freely.",
    },
    example: { tr: "Klasik 30", en: "Classic 30" },
  }),
  defineField({
    key: "description",
    header: { tr: "Açıklama", en: "Description" },
    aliases: [
      ...aliases(RANK.alias, "Ürün Açıklaması", "Detay", "Ürün Detayı", "Product Description"),
      ...aliases(RANK.alias, "Ürün Açıklama", "Ürün Detay"),
      ...aliases(RANK.weak, "Uzun Açıklama", "Detaylı Açıklama", "Long Description"),
    ],
    requiredForAdd: true,
    documentedForUpdate: true,
    apiFields: ["description"],
    kind: "text",
    help: { tr: "Düz metin ya da HTML.", en: "Plain text or HTML." },
    example: { tr: "Kayın ağacından oyma kaşık.", en: "A spoon carved from beech wood." },
  }),
];

const discount = (discountType: DiscountType, ...texts: readonly string[]): readonly FieldAlias[] =>
  texts.map((text) => ({ text, rank: RANK.alias, discountType }));

/** Headers that suppliers use for the dealer discount, which must not be shown to buyers. */
const tradeDiscount = (
  discountType: DiscountType,
  ...texts: readonly string[]
): readonly FieldAlias[] =>
  texts.map((text) => ({ text, rank: RANK.alias, discountType, doubt: "trade-list" }));

/** Fields of price and discount. Amounts in files are in major units. */
const PRICE_FIELDS: readonly FieldDefinition[] = [
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
    keywords: VALUE_KEYWORDS.currency,
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
    keywords: VALUE_KEYWORDS.discount_type,
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

/** The fields of single images, in their order. */
export const IMAGE_FIELDS: readonly FieldKey[] = [
  "image_1",
  "image_2",
  "image_3",
  "image_4",
  "image_5",
  "image_6",
  "image_7",
  "image_8",
];

/** Columns without a number are taken for the first image. */
const unnumbered: readonly FieldAlias[] = aliases(
  RANK.alias,
  "Görsel",
  "Resim",
  "Fotoğraf",
  "Görsel Linki",
  "Image",
  "Image URL",
  "Ürün Görseli",
  "Ürün Resmi",
  "Product Image",
  "Picture",
  "Picture URL",
  "Photo",
);

const imageField = (key: FieldKey, index: number): FieldDefinition => {
  const n = index + 1;
  return defineField({
    key,
    header: { tr: `Görsel ${n}`, en: `Image ${n}` },
    aliases: [
      ...aliases(RANK.alias, `Resim ${n}`, `Fotoğraf ${n}`, `Foto ${n}`, `Görsel Linki ${n}`),
      ...aliases(RANK.alias, `Görsel Link ${n}`, `Image URL ${n}`),
      ...(n === 1 ? unnumbered : []),
    ],
    requiredForAdd: n === 1,
    apiFields: ["images"],
    kind: "image",
    help: {
      tr: "Görselin https ile başlayan adresi.",
      en: "The address of the image, which begins with https.",
    },
    example: { tr: `https://ornek.com/kasik-${n}.jpg`, en: `https://example.com/spoon-${n}.jpg` },
  });
};

/** Fields of delivery and display, and fields that are never sent. */
const DELIVERY_FIELDS: readonly FieldDefinition[] = [
  defineField({
    key: "stock",
    header: { tr: "Stok", en: "Stock" },
    aliases: [
      ...aliases(RANK.alias, "Stok Adedi", "Ürün Stok Adedi", "Stok Miktarı", "Stok Sayısı"),
      ...aliases(RANK.alias, "Stock Quantity", "Stock Qty", "Quantity in Stock"),
      ...aliases(RANK.alias, "Toplam Stok", "Depo Stok", "Net Stok", "Fiili Stok", "Mevcut Stok"),
      ...aliases(RANK.alias, "Kalan Stok", "Kullanılabilir Stok", "Satılabilir Stok", "Envanter"),
      ...aliases(RANK.alias, "Available Stock", "Available Quantity", "On Hand", "Qty On Hand"),
      // In a supplier's list it is the ordered quantity, or the number of pieces in a package.
      ...doubtful("uncertain", "Adet", "Miktar"),
      // What is left may be a sum of money, and what is available a word.
      ...doubtful("uncertain", "Kalan", "Mevcut", "Bakiye", "Available"),
      // Shops export the stock under these headers; orders and invoices use them for something
      // else.
      ...doubtful("trade-list", "Quantity", "Qty"),
    ],
    requiredForAdd: true,
    apiFields: ["stock_count"],
    kind: "integer",
    help: { tr: "Sıfır ya da daha büyük bir tam sayı.", en: "A whole number, zero or more." },
    example: { tr: "25", en: "25" },
  }),
  defineField({
    key: "warranty_type",
    header: { tr: "Garanti Tipi", en: "Warranty Type" },
    aliases: aliases(RANK.alias, "Garanti Türü", "Garanti"),
    requiredForAdd: true,
    apiFields: ["warranty_type"],
    kind: "words",
    takesDefault: true,
    keywords: VALUE_KEYWORDS.warranty_type,
    help: { tr: "Garantiyi verenin kim olduğu.", en: "Who gives the warranty." },
    example: { tr: "İthalatçı Garantili", en: "Importer" },
  }),
  defineField({
    key: "warranty_period",
    header: { tr: "Garanti Süresi", en: "Warranty Period" },
    aliases: aliases(RANK.alias, "Garanti Süresi (Ay)", "Garanti (Ay)"),
    suggestOnly: ["Garanti Süresi (Yıl)", "Garanti (Yıl)"],
    requiredForAdd: true,
    apiFields: ["warranty_period"],
    kind: "words",
    takesDefault: true,
    keywords: VALUE_KEYWORDS.warranty_period,
    help: { tr: "Ay olarak; garanti yoksa 0.", en: "In months; 0 without a warranty." },
    example: { tr: "24 Ay", en: "24 months" },
  }),
  defineField({
    key: "shipping_template",
    header: { tr: "Teslimat Şablonu", en: "Shipping Template" },
    aliases: [
      ...aliases(RANK.alias, "Kargo Şablonu", "Teslimat Şablonu İsmi", "Kargo Şablonu ID"),
      ...aliases(RANK.alias, "Teslimat Şablonu ID", "Shipping Template ID"),
    ],
    requiredForAdd: true,
    apiFields: ["shipping_template_id"],
    kind: "name",
    takesDefault: true,
    help: { tr: "Mağazadaki şablonun adı ya da ID değeri.", en: "The name or id of the template." },
    example: { tr: "Standart Kargo", en: "Standard" },
  }),
  ...IMAGE_FIELDS.map((key, index) => imageField(key, index)),
  defineField({
    key: "images",
    header: { tr: "Görseller", en: "Images" },
    aliases: aliases(RANK.alias, "Resimler", "Fotoğraflar", "Görsel Linkleri").concat(
      aliases(RANK.alias, "Ürün Görselleri", "Ürün Resimleri", "Product Images", "Image URLs"),
    ),
    apiFields: ["images"],
    kind: "image",
    help: {
      tr: "Birden çok adres; aralarına ; ya da | koyun veya her birini yeni satıra yazın.",
      en: "Several addresses, divided by ; or | or line breaks.",
    },
    example: {
      tr: "https://ornek.com/1.jpg;https://ornek.com/2.jpg",
      en: "https://example.com/1.jpg;https://example.com/2.jpg",
    },
  }),
  defineField({
    key: "condition",
    header: { tr: "Durum (Sıfır/İkinci El)", en: "Condition" },
    aliases: aliases(RANK.alias, "Kondisyon"),
    suggestOnly: ["Ürün Durumu"],
    apiFields: ["product_condition"],
    kind: "words",
    takesDefault: true,
    keywords: VALUE_KEYWORDS.condition,
    help: {
      tr: "Yalnızca bireyden bireye satış yapan mağazalar için.",
      en: "Only for stores that sell consumer to consumer.",
    },
    example: { tr: "Sıfır", en: "New" },
  }),
  defineField({
    key: "custom_order",
    header: { tr: "Kişiselleştirme", en: "Personalisation" },
    aliases: aliases(RANK.alias, "Sipariş Notu Alanı", "Personalization"),
    apiFields: ["custom_order_input"],
    kind: "words",
    keywords: VALUE_KEYWORDS.yes_no,
    help: {
      tr: "Evet yazılırsa alıcı siparişe not ekleyebilir.",
      en: "Yes lets the buyer add a note to the order.",
    },
    example: { tr: "Evet", en: "Yes" },
  }),
  defineField({
    key: "note",
    header: { tr: "Not", en: "Note" },
    aliases: aliases(RANK.alias, "Mağaza Notu"),
    kind: "text",
    help: { tr: "Gönderilmez; sonuç dosyasında kalır.", en: "Not sent; kept in the report." },
    example: { tr: "Yaz kampanyası", en: "Summer campaign" },
  }),
];

/** Every column that is read, in the order in which templates and exports write them. */
export const FIELDS: readonly FieldDefinition[] = [
  ...PRODUCT_FIELDS,
  ...PRICE_FIELDS,
  ...DELIVERY_FIELDS,
];

const BY_KEY: ReadonlyMap<string, FieldDefinition> = new Map(
  FIELDS.map((field) => [field.key, field]),
);

/** The field with this machine name; `undefined` where there is none. */
export function findField(key: string): FieldDefinition | undefined {
  return BY_KEY.get(key);
}

const BY_HEADER: ReadonlyMap<string, FieldDefinition> = new Map(
  FIELDS.flatMap((field) =>
    [field.header.en, field.header.tr].map((header) => [headerKey(header), field] as const),
  ),
);

/**
 * The field that a person names: by its machine name, or by its header in either language, in any
 * case and with or without the star; `undefined` where there is none.
 */
export function findNamedField(name: string): FieldDefinition | undefined {
  return findField(name) ?? BY_HEADER.get(headerKey(name));
}

/** The field of a known machine name. */
export function getField(key: FieldKey): FieldDefinition {
  const field = BY_KEY.get(key);
  if (field === undefined) throw new RangeError(`no field is named "${key}"`);
  return field;
}
