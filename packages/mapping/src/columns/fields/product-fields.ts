import { aliases, defineField, type FieldDefinition, RANK } from "./field.ts";

/** Fields that identify and describe a product. */
export const PRODUCT_FIELDS: readonly FieldDefinition[] = [
  defineField({
    key: "action",
    header: { tr: "İşlem", en: "Action" },
    aliases: aliases(RANK.alias, "mode"),
    kind: "words",
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
