/**
 * The columns of the product search, which lists products of all stores. No header or key is one of
 * a product file, as a file with the prices of others would change the store's own.
 */

import type { FoundProduct } from "@catalog/contract";

import { toAmountColumn } from "./amount-columns.ts";
import { fieldOf, type OutColumn, SUBJECTS, toCell, toWord } from "./out-column.ts";

type SearchColumn = OutColumn<FoundProduct>;

type Names = readonly [key: keyof FoundProduct, tr: string, en: string];

const column = ([key, tr, en]: Names, cell?: SearchColumn["cell"]): SearchColumn => ({
  key: `found_${key}`,
  header: { tr: `Bulunan ${tr}`, en: `Found ${en}` },
  cell: cell ?? ((product) => toCell(product[key])),
});

const number = (...names: Names): SearchColumn => ({ ...column(names), kind: "number" });

const amount = (...names: Names): SearchColumn => toAmountColumn(column(names));

const id = (...names: Names): SearchColumn => ({ ...column(names), place: "last" });

/** The address of an image, whose form the specification does not show. */
const toImage = (image: unknown): string => {
  const address = typeof image === "string" ? image : fieldOf(image, "url");
  return typeof address === "string" ? address : JSON.stringify(image);
};

export const SEARCH_COLUMNS: readonly SearchColumn[] = [
  { ...column(["title", "Ürün", "Product"]), place: "first" },
  column(["subtitle", "Alt Başlık", "Subtitle"]),
  { ...column(["store_name", "Mağaza", "Store"]), place: "first" },
  column(["product_code", "Ürünün Kodu", "Code"]),
  amount("price", "Fiyat", "Price"),
  amount("paid_price", "Satış Tutarı", "Paid Price"),
  column(["has_discount", "İndirim Var", "Has Discount"]),
  amount("discount_amount", "İndirim", "Discount"),
  amount("shipping_price", "Kargo Ücreti", "Shipping Price"),
  column(["currency", "Para Birimi", "Currency"]),
  number("stock", "Stok", "Stock"),
  column(["category_name", "Kategori", "Category"]),
  column(["brand_name", "Marka", "Brand"]),
  column(["properties", "Özellikler", "Properties"], ({ properties }) =>
    toCell(properties?.map((each) => `${each.property}: ${each.option}`).join("; ")),
  ),
  column(["variants", "Varyantlar", "Variants"], ({ variants }) =>
    variants?.length === 0 ? null : toCell(variants),
  ),
  column(["description", "Açıklama", "Description"]),
  column(["warranty", "Garanti", "Warranty"]),
  column(["warranty_time", "Garanti Süresi", "Warranty Time"]),
  number("warranty_type", "Garanti Tipi", "Warranty Type"),
  number("warranty_period", "Garanti Ayı", "Warranty Months"),
  column(["item_type", "Kayıt Türü", "Item Type"], ({ item_type: type }, style) =>
    toWord(SUBJECTS, type, style),
  ),
  column(["url", "Bağlantı", "Link"]),
  column(["images", "Görseller", "Images"], ({ images }) =>
    toCell(images?.map((image) => toImage(image)).join("\n")),
  ),
  number("sid", "Sıra No", "Number"),
  id("id", "Ürün ID", "Product ID"),
  id("category_id", "Kategori ID", "Category ID"),
  id("brand_id", "Marka ID", "Brand ID"),
];
