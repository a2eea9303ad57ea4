/** The columns of exported products that are only for reading. */

import type { ListingStatus, StoreProduct } from "@catalog/contract";
import { VALUE_KEYWORDS } from "@catalog/mapping";
import type { PriceUnit } from "@catalog/runs";

import { amountUnitColumn, toAmountCell } from "./amount-columns.ts";
import { type OutColumn, toCell, toWord } from "./out-column.ts";
import { SUBJECTS } from "./words.ts";

/** A product and the status under which it was listed last. */
export interface ListedProduct {
  readonly status: ListingStatus;
  readonly product: StoreProduct;
}

type ProductColumn = OutColumn<ListedProduct>;

const readOnly = (
  key: string,
  header: ProductColumn["header"],
  cell: ProductColumn["cell"],
): ProductColumn => ({ key, header, isReadOnly: true, cell });

/**
 * Prices as they were answered, in read-only columns: no import takes them for another unit. They
 * are there whether the unit is known or not, so that names of columns depend on no flag.
 */
const RAW_PRICES: readonly ProductColumn[] = [
  {
    ...readOnly(
      "price_raw",
      { tr: "Fiyat, pazaryerinden geldiği gibi", en: "Price, as the marketplace gives it" },
      ({ product }) => toCell(product.price),
    ),
    kind: "number",
  },
  {
    ...readOnly(
      "discount_raw",
      { tr: "İndirim, pazaryerinden geldiği gibi", en: "Discount, as the marketplace gives it" },
      ({ product }) => (product.has_discount === true ? toCell(product.discount_value) : null),
    ),
    kind: "number",
  },
];

/** Fields of the listing that no import maps. */
export function readOnlyColumns(unit: PriceUnit): readonly ProductColumn[] {
  const isKnown = unit !== "unknown";
  // Amounts of one answer are taken to have one unit.
  const amount = (
    key: string,
    header: ProductColumn["header"],
    read: (product: StoreProduct) => unknown,
  ): ProductColumn => ({
    ...readOnly(key, header, ({ product }) => toAmountCell(read(product), unit)),
    kind: isKnown ? "price" : "number",
  });
  return [
    readOnly("status", { tr: "Durum", en: "Status" }, ({ status }, style) =>
      toWord(VALUE_KEYWORDS.listing_status, status, style),
    ),
    readOnly("category_name", { tr: "Kategori", en: "Category" }, ({ product }) =>
      toCell(product.category_name),
    ),
    readOnly("brand_name", { tr: "Marka", en: "Brand" }, ({ product }) =>
      toCell(product.brand_name),
    ),
    amount("paid_price", { tr: "Satış Tutarı", en: "Paid Price" }, ({ paid_price: paid }) => paid),
    amount(
      "shipping_price",
      { tr: "Kargo Ücreti", en: "Shipping Price" },
      ({ shipping_price: shipping }) => shipping,
    ),
    ...RAW_PRICES,
    { ...amountUnitColumn<ListedProduct>(unit), isReadOnly: true },
    readOnly("url", { tr: "Bağlantı", en: "URL" }, ({ product }) => toCell(product.url)),
    readOnly("properties", { tr: "Özellikler", en: "Properties" }, ({ product }) =>
      (product.properties ?? []).map((each) => `${each.property}: ${each.option}`).join("; "),
    ),
    {
      ...readOnly("sid", { tr: "Pazaryeri Sıra No", en: "sid" }, ({ product }) =>
        toCell(product.sid),
      ),
      kind: "integer",
    },
    readOnly("item_type", { tr: "Kayıt Türü", en: "item_type" }, ({ product }, style) =>
      toWord(SUBJECTS, product.item_type, style),
    ),
  ];
}

/** Further fields of the listing, under their own names. */
export const FURTHER_PRODUCT_COLUMNS: readonly ProductColumn[] = (
  [
    "price",
    "has_discount",
    "discount_type",
    "discount_value",
    "warranty",
    "warranty_time",
    "warranty_type",
    "warranty_period",
    "shipping_template_id",
    "images",
    "variants",
  ] as const
).map((name) =>
  readOnly(`api_${name}`, { tr: `API: ${name}`, en: `API: ${name}` }, ({ product }) =>
    toCell(product[name]),
  ),
);
