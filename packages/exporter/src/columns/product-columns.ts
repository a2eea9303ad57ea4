/**
 * The columns of exported products: first the ones that an import maps, in its own words, so that
 * importing an unchanged file changes nothing; then the read-only ones.
 */

import { CURRENCIES, type StoreProduct } from "@catalog/contract";
import { type FieldKey, findField, formatHeader, FIELDS, VALUE_KEYWORDS } from "@catalog/mapping";
import type { PriceUnit } from "@catalog/runs";
import type { OutCell } from "@catalog/sheets";

import { type OutColumn, type TableStyle, toCell, toWord } from "./out-column.ts";
import { imageCells } from "./product-images.ts";
import { toSheetDiscount, toSheetPrice } from "./product-price.ts";
import { type ListedProduct, readOnlyColumns } from "./read-only-columns.ts";

export interface ProductColumnsOptions {
  readonly priceUnit: PriceUnit;
  /** Label by which an import finds the template; `undefined` where it would not find it. */
  readonly templateLabel: (id: string) => string | undefined;
  /** Called for a text that was left out because it is too long for its cell. */
  readonly onTooLong: () => void;
}

type ProductColumn = OutColumn<ListedProduct>;
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
    header: { tr: formatHeader(known, "tr"), en: formatHeader(known, "en") },
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
