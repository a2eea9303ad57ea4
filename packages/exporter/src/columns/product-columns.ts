/**
 * The columns of exported products: first the ones that an import maps, in its own words, so that
 * importing an unchanged file changes nothing; then those that are only for reading.
 */

import { CURRENCIES, type ListingStatus, type StoreProduct } from "@catalog/contract";
import { type FieldKey, FIELDS, findField, VALUE_KEYWORDS } from "@catalog/mapping";
import type { PriceUnit } from "@catalog/runs";
import type { OutCell } from "@catalog/sheets";

import { amountUnitColumn, toAmountCell, toSheetDiscount, toSheetPrice } from "./amount-columns.ts";
import { type OutColumn, SUBJECTS, type TableStyle, toCell, toWord } from "./out-column.ts";

interface ImageCells {
  /** At most eight image URLs, one a column. */
  readonly numbered: readonly string[];
  /** The other URLs in one cell, one a line. */
  readonly rest: OutCell;
}

const NUMBERED = 8;

/** A URL that a cell of several URLs does not split. */
const ADDRESS = /^https:\/\/[^\s;|]+$/iu;

/**
 * Writes all images or none: an import would remove images that are left out, and refuse a
 * duplicate as one too many.
 */
function imageCells(images: readonly unknown[] | null | undefined): ImageCells {
  const addresses = (images ?? []).filter((image) => typeof image === "string");
  const isWhole =
    addresses.length === (images ?? []).length &&
    new Set(addresses).size === addresses.length &&
    addresses.every((address) => ADDRESS.test(address) && !/[,]https?:/iu.test(address));
  if (!isWhole) return { numbered: [], rest: null };
  const rest = addresses.slice(NUMBERED).join("\n");
  return { numbered: addresses.slice(0, NUMBERED), rest: rest === "" ? null : rest };
}

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
function readOnlyColumns(unit: PriceUnit): readonly ProductColumn[] {
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

interface ProductColumnsOptions {
  readonly priceUnit: PriceUnit;
  /** Label by which an import finds the template; `undefined` where it would not find it. */
  readonly templateLabel: (id: string) => string | undefined;
  /** Called for a text that was left out because it is too long for its cell. */
  readonly onTooLong: () => void;
}
type Cell = (product: StoreProduct, style: TableStyle) => OutCell;

/** Every column, those for an import first. */
export function createProductColumns(options: ProductColumnsOptions): readonly ProductColumn[] {
  const { priceUnit: unit, templateLabel } = options;
  const text = (read: (product: StoreProduct) => string | null | undefined): Cell => {
    return (product, style) => importText(read(product), style, options.onTooLong);
  };
  return [
    field("product_id", ({ id }) => id),
    field(
      "product_code",
      text(({ product_code }) => product_code),
    ),
    field(
      "title",
      text(({ title }) => title),
    ),
    field(
      "sub_title",
      text(({ subtitle }) => subtitle),
    ),
    {
      ...field("brand", ({ brand_id }) =>
        OBJECT_ID.test(brand_id ?? "") ? toCell(brand_id) : null,
      ),
      header: { tr: "Marka ID", en: "Brand ID" },
      help: {
        tr: "Markanın kimliği; içe aktarma markayı bununla tam bulur.",
        en: "Id of the brand, by which an import finds exactly this brand.",
      },
    },
    field(
      "description",
      text(({ description }) => description),
    ),
    field("currency", ({ currency }) => CURRENCIES.find((each) => each === currency) ?? null),
    ...priceFields(unit),
    field("stock", ({ stock }) =>
      Number.isInteger(stock) && Number(stock) >= 0 ? toCell(stock) : null,
    ),
    field("warranty_type", (product, style) => warranty(product, style).type),
    field("warranty_period", (product, style) => warranty(product, style).period),
    field("shipping_template", ({ shipping_template_id: id }) => templateLabel(id ?? "") ?? null),
    ...NUMBERED_IMAGES.map(({ key }, at) =>
      field(key, ({ images }) => imageCells(images).numbered[at] ?? null),
    ),
    field("images", ({ images }) => imageCells(images).rest),
    ...readOnlyColumns(unit),
  ];
}

const NUMBERED_IMAGES = FIELDS.filter(({ key }) => key.startsWith("image_"));

const OBJECT_ID = /^[0-9a-f]{24}$/iu;

const PLACES: Readonly<Partial<Record<FieldKey, NonNullable<ProductColumn["place"]>>>> = {
  product_code: "first",
  title: "first",
  product_id: "last",
  brand: "last",
};

const KINDS: Readonly<Partial<Record<FieldKey, ProductColumn["kind"]>>> = {
  price: "price",
  discount_value: "number",
  stock: "integer",
};

function field(key: FieldKey, cell: Cell): ProductColumn {
  const known = findField(key);
  if (known === undefined) throw new RangeError(`no field is named "${key}"`);
  const kind = KINDS[key];
  const place = PLACES[key];
  return {
    key,
    help: known.help,
    ...(place === undefined ? {} : { place }),
    header: known.writtenHeader,
    ...(kind === undefined ? {} : { kind }),
    cell: ({ product }, style) => cell(product, style),
  };
}

/** The columns that need the unit of prices; they stay empty while it is not known. */
export const priceFields = (unit: PriceUnit): readonly ProductColumn[] =>
  unit === "unknown" ? listPriceFields(unit).map(leaveEmpty) : listPriceFields(unit);

const leaveEmpty = (column: ProductColumn): ProductColumn => ({
  ...column,
  lacksUnit: true,
  cell: () => null,
});

const listPriceFields = (unit: PriceUnit): readonly ProductColumn[] => [
  field("price", ({ price }) => toSheetPrice(price, unit)),
  field("discount_type", (product, style) =>
    toWord(VALUE_KEYWORDS.discount_type, toSheetDiscount(product, unit)?.type, style),
  ),
  {
    ...field("discount_value", (product) => toSheetDiscount(product, unit)?.value ?? null),
    isMoney: ({ product }) => toSheetDiscount(product, unit)?.type !== 2,
  },
];

/** A text that an import would take as a request to clear the field. */
const CLEARING = /^\s*<\s*(?:sil|si̇l|clear)\s*>\s*$/iu;
/** Cheap test for the start of such a text. */
const CLEARING_START = /^\s*<\s*[sc]/iu;

const isClearing = (text: string): boolean =>
  CLEARING_START.test(text) && CLEARING.test(text.toLocaleLowerCase("tr"));

/** A cell that cannot hold the whole text stays empty, as an import would send a cut text. */
function importText(
  text: string | null | undefined,
  { maxChars }: TableStyle,
  onTooLong: () => void,
): OutCell {
  const whole = toCell(text);
  if (typeof whole !== "string" || isClearing(whole)) return null;
  if (whole.length <= maxChars) return whole;
  onTooLong();
  return null;
}

interface WarrantyCells {
  readonly type: OutCell;
  readonly period: OutCell;
}

/** A warranty with its duration, or none without one, as an import takes both or neither. */
function warranty(product: StoreProduct, style: TableStyle): WarrantyCells {
  const type = VALUE_KEYWORDS.warranty_type.find(({ value }) => value === product.warranty_type);
  const period = VALUE_KEYWORDS.warranty_period.find(
    ({ value }) => value === product.warranty_period,
  );
  if (type === undefined || period === undefined || (type.value === 1) !== (period.value === 0)) {
    return { type: null, period: null };
  }
  return {
    type: toWord(VALUE_KEYWORDS.warranty_type, type.value, style),
    period: toWord(VALUE_KEYWORDS.warranty_period, period.value, style),
  };
}
