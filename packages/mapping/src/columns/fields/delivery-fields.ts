import {
  aliases,
  defineField,
  doubtful,
  type FieldAlias,
  type FieldDefinition,
  type FieldKey,
  RANK,
} from "./field.ts";

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
export const DELIVERY_FIELDS: readonly FieldDefinition[] = [
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
