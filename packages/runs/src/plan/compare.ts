/**
 * Compares the wanted fields with what the store shows. The listing has no category id and no brand
 * model, and does not state the unit of its prices (section Product); a field that it does not show
 * is compared with the last body that we sent for the product, or is not comparable.
 */

import { isDeepStrictEqual } from "node:util";

import type { ProductAdd, ProductChanges, StoreProduct } from "../ports/product.ts";
import type { PaidPrices } from "../row/issues.ts";
import type { Choice, FieldChange } from "../row/row-record.ts";
import { findUnits, KNOWN_UNITS, type PriceUnit, toMinor } from "./price-unit.ts";

/** The fields that a row wants, and what is known of the product. */
export interface CompareInput {
  readonly wanted: ProductChanges;
  /** Absent for a product of ours that the listing does not show. */
  readonly seen?: StoreProduct | undefined;
  /** The fields that we sent last for this product. */
  readonly lastSent?: ProductChanges | undefined;
  readonly priceUnit: PriceUnit;
  /** Name of the wanted category, because listings show names only. */
  readonly categoryName?: string | undefined;
}

/** The fields that an update has to send, and those that the listing does not show. */
export interface Comparison {
  readonly changes: readonly FieldChange[];
  /** Names of fields that the listing does not show, so that they may or may not differ. */
  readonly notComparable: readonly string[];
}

type Field = keyof ProductAdd;

/** Compares field by field, in the order of the add call. */
export function compareFields(input: CompareInput): Comparison {
  const changed = new Set<Field>();
  const notComparable: Field[] = [];
  for (const field of COMPARED_FIELDS) {
    if (input.wanted[field] === undefined) continue;
    const finding = compareField(field, input);
    if (finding === "changed") changed.add(field);
    else if (finding === "not-comparable") notComparable.push(field);
  }
  if (changed.size === 0) return { changes: [], notComparable };
  for (const field of findCompanions(changed, notComparable)) {
    if (input.wanted[field] !== undefined) changed.add(field);
  }
  return {
    changes: COMPARED_FIELDS.filter((field) => changed.has(field)).map((field) =>
      toChange(field, input),
    ),
    notComparable: notComparable.filter((field) => !changed.has(field)),
  };
}

/** Fields without which a changed one would be refused, or be taken for something else. */
function findCompanions(
  changed: ReadonlySet<Field>,
  notComparable: readonly Field[],
): readonly Field[] {
  const isOneOf = (field: Field): boolean => changed.has(field);
  return [
    // An amount without its currency would be taken in the one that the product has.
    ...(AMOUNT_FIELDS.some(isOneOf) ? notComparable.filter((field) => field === "currency") : []),
    ...(DISCOUNT_FIELDS.some(isOneOf) ? DISCOUNT_FIELDS : []),
  ];
}

type Finding = "same" | "changed" | "not-comparable";

function compareField(field: Field, input: CompareInput): Finding {
  const wanted = input.wanted[field];
  if (field === "images") return compareImages(input);
  const shown = readOld(field, input);
  const old = shown === NOT_LISTED ? readSent(field, input) : shown;
  if (old !== undefined) return isSame(old, wanted) ? "same" : "changed";
  const isSent = SENT_WHEN_NOT_LISTED.has(field) || input.seen === undefined;
  return isSent ? "changed" : "not-comparable";
}

/**
 * Returns the value sent last for a field that the listing does not show. While the unit is
 * unknown, a listed amount that is neither the sent one nor a hundredth of it was changed since.
 */
function readSent(field: Field, { seen, lastSent, priceUnit }: CompareInput): unknown {
  const sent = lastSent?.[field];
  if (priceUnit !== "unknown" || typeof sent !== "number") return sent;
  if (field !== "price" && field !== "discount_value") return sent;
  const shown = seen?.[field];
  if (typeof shown !== "number") return sent;
  return findUnits(sent, shown).length === 0 ? undefined : sent;
}

/** A field that was sent, with the value that the listing shows for it. */
export interface ShownField {
  readonly field: string;
  readonly sent: unknown;
  /** In the terms of the add call; `undefined` when the listing does not show it. */
  readonly shown: unknown;
  readonly isSame: boolean;
}

/** Returns what a listing shows for each field of a body, in the order of the add call. */
export function readShown(
  body: ProductChanges,
  { seen, priceUnit }: { readonly seen: StoreProduct; readonly priceUnit: PriceUnit },
): readonly ShownField[] {
  const input = { wanted: body, seen, priceUnit };
  return COMPARED_FIELDS.filter((field) => body[field] !== undefined).map((field) => {
    const old = readOld(field, input);
    const shown = old === NOT_LISTED ? undefined : old;
    return { field, sent: body[field], shown, isSame: isSame(shown, body[field]) };
  });
}

/** Says whether two values of a field are the same to a person. */
export function isSameValue(one: unknown, other: unknown): boolean {
  return isSame(one, other);
}

/**
 * Blanks at the ends and the kind of line break do not survive a spreadsheet. The apostrophe that a
 * CSV export writes before a formula becomes part of the text in a workbook made of it.
 */
function isSame(old: unknown, wanted: unknown): boolean {
  if (Object.is(old, wanted)) return true;
  if (typeof old !== "string" || typeof wanted !== "string") return isDeepStrictEqual(old, wanted);
  const [was, text] = [toPlainText(old), toPlainText(wanted)];
  return was === text || was === text.replace(/^'(?=[=+\-@])/u, "");
}

const toPlainText = (text: string): string => text.replaceAll("\r\n", "\n").trim();

/** A value that was only sent is no old value, because the store has not shown it. */
function toChange(field: Field, input: CompareInput): FieldChange {
  const old = readOld(field, input);
  const change = { field, new: input.wanted[field] };
  return old === NOT_LISTED ? change : { ...change, old };
}

const NOT_LISTED: unique symbol = Symbol("unseen");

/** Fields that hold an amount of money. */
export const AMOUNT_FIELDS: readonly ["price", "discount_value"] = ["price", "discount_value"];

/** Fields that are sent when the old value is unknown: a stale price costs more than a call. */
const SENT_WHEN_NOT_LISTED: ReadonlySet<Field> = new Set(AMOUNT_FIELDS);

/**
 * The fields of a discount, which are sent together: an update that sets `has_discount` without the
 * other two is refused, and a listing without a discount shows neither of them.
 */
export const DISCOUNT_FIELDS: readonly ["has_discount", "discount_type", "discount_value"] = [
  "has_discount",
  "discount_type",
  "discount_value",
];

/** Returns the listed value in the terms of the add call. */
function readOld(field: Field, input: CompareInput): unknown {
  const read = isCompared(field) ? READERS[field] : undefined;
  if (input.seen === undefined || read === undefined) return NOT_LISTED;
  return read(input.seen, input) ?? NOT_LISTED;
}

type Reader = (seen: StoreProduct, input: CompareInput) => unknown;

/**
 * How the listing shows each field of the add call but the code, which is the key; `undefined` for a
 * field that is not in the listing.
 */
const READERS: Readonly<Record<Exclude<Field, "product_code">, Reader | undefined>> = {
  title: (seen) => seen.title,
  sub_title: (seen) => seen.subtitle,
  category_id: readCategory,
  brand_id: (seen) => seen.brand_id,
  brand_model: undefined,
  description: (seen) => seen.description,
  currency: (seen) => seen.currency,
  price: (seen, { priceUnit }) => toMinor(seen.price, priceUnit),
  has_discount: (seen) => seen.has_discount,
  discount_type: (seen) => seen.discount_type,
  discount_value: readDiscount,
  stock_count: (seen) => seen.stock,
  warranty_type: (seen) => seen.warranty_type,
  warranty_period: (seen) => seen.warranty_period,
  shipping_template_id: (seen) => seen.shipping_template_id,
  images: toAddresses,
  product_condition: undefined,
  custom_order_input: undefined,
  properties: readProperties,
};

const isCompared = (name: string): name is keyof typeof READERS => Object.hasOwn(READERS, name);

/** In the order of the table. */
const COMPARED_FIELDS: readonly (keyof typeof READERS)[] = Object.keys(READERS).filter(isCompared);

/** From here on `undefined` means that the listing does not show the field. */
function readDiscount(seen: StoreProduct, { priceUnit }: CompareInput): unknown {
  const value = seen.discount_value;
  if (value === null || value === undefined || value === false) return undefined;
  return seen.discount_type === 2 ? value : toMinor(value, priceUnit);
}

/** The listing has the category's name only; the same name counts as the same category. */
function readCategory(seen: StoreProduct, { wanted, categoryName }: CompareInput): unknown {
  const shown = seen.category_name;
  if (typeof shown !== "string" || categoryName === undefined) return undefined;
  return shown === categoryName ? wanted.category_id : shown;
}

/**
 * A store may show our addresses or copies under its own. Where it shows none of the addresses that
 * we sent last, the wanted list is compared with the list that we sent.
 */
function compareImages({ wanted, seen, lastSent }: CompareInput): Finding {
  const list = toAddresses(wanted);
  const shown = toAddresses(seen);
  if (shown !== undefined && isSameList(shown, list)) return "same";
  const sent = toAddresses(lastSent);
  if (sent !== undefined && !shown?.some((address) => sent.includes(address))) {
    return isSameList(sent, list) ? "same" : "changed";
  }
  return shown === undefined && seen !== undefined ? "not-comparable" : "changed";
}

/** The images of a product, by our addresses where the store shows copies of them. */
export function readImages({
  seen,
  lastSent,
}: Pick<CompareInput, "seen" | "lastSent">): readonly string[] | undefined {
  const [sent, shown] = [toAddresses(lastSent), toAddresses(seen)];
  const areCopies = sent !== undefined && !shown?.some((address) => sent.includes(address));
  return areCopies ? sent : shown;
}

const isSameList = (one: readonly string[], other: readonly string[] | undefined): boolean =>
  one.length === other?.length && one.every((text, at) => text === other[at]);

interface ImageHolder {
  readonly images?: readonly unknown[] | null | undefined;
}

/**
 * Returns the addresses in a list of images, which holds strings or objects; `undefined` for other
 * lists.
 */
export function toAddresses(holder: ImageHolder | undefined): readonly string[] | undefined {
  const images = holder?.images;
  if (!Array.isArray(images)) return undefined;
  const addresses = images.map(toAddress).filter((address) => address !== undefined);
  return addresses.length === images.length ? addresses : undefined;
}

function toAddress(image: unknown): string | undefined {
  if (typeof image === "string") return image;
  if (typeof image !== "object" || image === null || !("url" in image)) return undefined;
  return typeof image.url === "string" ? image.url : undefined;
}

function readProperties({ properties }: StoreProduct): unknown {
  return properties?.map(({ property_id, option_id }) => ({ property_id, option_id }));
}

/** Returns the choices that a row makes or that the store shows, whether they differ or not. */
export function readChoices(input: CompareInput): readonly Choice[] {
  const { wanted, seen } = input;
  if (seen === undefined) return [];
  const single = SINGLE_CHOICES.map((field) => ({
    field,
    key: field,
    old: toChoice(readOld(field, input)),
    new: toChoice(wanted[field]),
  }));
  const category = {
    field: "category_id",
    key: "category_id",
    old: toChoice(seen.category_name),
    new: wanted.category_id === undefined ? undefined : input.categoryName,
  } as const;
  const discount = {
    field: "discount_value",
    key: "discount_value",
    old: toDiscountChoice((field) => readOld(field, input)),
    new: toDiscountChoice((field) => wanted[field]),
  } as const;
  const lists = [...readPropertyChoices(wanted, seen), ...readImageChoices(input)];
  return [...single, category, discount, ...lists].filter(
    (choice) => choice.old !== undefined || choice.new !== undefined,
  );
}

/** How a discount is written that a product does not have. */
export const NO_DISCOUNT = "none";

const SINGLE_CHOICES = [
  "brand_id",
  "warranty_type",
  "warranty_period",
  "shipping_template_id",
] as const;

const toChoice = (value: unknown): string | undefined =>
  typeof value === "string" || typeof value === "number" ? String(value) : undefined;

/** A discount is one choice: its value means nothing without its kind. */
function toDiscountChoice(
  read: (field: (typeof DISCOUNT_FIELDS)[number]) => unknown,
): string | undefined {
  const [has, type, value] = DISCOUNT_FIELDS.map(read);
  if (has !== true) return has === false ? NO_DISCOUNT : undefined;
  const known = [toChoice(type), toChoice(value)];
  return known.includes(undefined) ? undefined : known.join(" ");
}

function readPropertyChoices(
  { properties: given = [] }: ProductChanges,
  { properties }: StoreProduct,
): readonly Choice[] {
  const shown = new Map<unknown, unknown>(
    (properties ?? []).map((one) => [one.property_id, one.option_id]),
  );
  const named = new Map<unknown, string>(given.map((one) => [one.property_id, one.option_id]));
  const ids = new Set([...shown.keys(), ...named.keys()].filter((id) => typeof id === "string"));
  return [...ids].map((id) => ({
    field: "properties",
    key: `property ${id}`,
    old: toChoice(shown.get(id)),
    new: named.get(id),
  }));
}

/** The images behind the first, which is compared with the other texts of the product. */
function readImageChoices({ wanted, seen, lastSent }: CompareInput): readonly Choice[] {
  const [old, given] = [readImages({ seen, lastSent }), toAddresses(wanted)];
  return OTHER_IMAGES.map((column, index) => ({
    field: "images",
    key: column,
    column,
    old: old?.[index + 1],
    new: given?.[index + 1],
  }));
}

const OTHER_IMAGES = [
  "image_2",
  "image_3",
  "image_4",
  "image_5",
  "image_6",
  "image_7",
  "image_8",
] as const;

/** A price and its discount in the terms of the add call, in minor units. */
export interface PriceTag {
  readonly price?: number | undefined;
  readonly has_discount?: boolean | undefined;
  /** 1 amount, 2 rate, 3 discounted price (section Products, add). */
  readonly discount_type?: number | undefined;
  readonly discount_value?: number | undefined;
}

/**
 * Returns the price after the discount, rounded to the nearest minor unit; `undefined` when the
 * fields are incomplete. The result is zero, negative or not below the price where the discount
 * makes no sense.
 */
export function toPaidPrice(tag: PriceTag): number | undefined {
  const { price, has_discount = false, discount_type, discount_value } = tag;
  if (price === undefined || !has_discount) return price;
  if (discount_value === undefined) return undefined;
  if (discount_type === 1) return price - discount_value;
  if (discount_type === 2) return Math.round((price * (100 - discount_value)) / 100);
  return discount_type === 3 ? discount_value : undefined;
}

/**
 * Compares what buyers pay by two price tags; `undefined` where neither has a discount, or where
 * what was paid is not known.
 */
export function comparePaidPrices(old: PriceTag, next: PriceTag): PaidPrices | undefined {
  const was = toPaidPrice(old);
  if (was === undefined || (old.has_discount !== true && next.has_discount !== true)) {
    return undefined;
  }
  const paid = toPaidPrice(next);
  const isLower = next.price !== undefined && paid !== undefined && paid < next.price;
  const isSure = paid !== undefined && paid > 0 && (next.has_discount !== true || isLower);
  return isSure ? { old: was, new: paid } : { old: was };
}

/**
 * Returns the product's price and discount: as listed where the unit is known, else as sent last.
 */
export function readPriceTag(known: Omit<CompareInput, "wanted" | "categoryName">): PriceTag {
  const input = { ...known, wanted: {} };
  const read = (field: keyof PriceTag): unknown => {
    const shown = readOld(field, input);
    return shown === NOT_LISTED ? known.lastSent?.[field] : shown;
  };
  return {
    price: numberOf(read("price")),
    has_discount: read("has_discount") === true,
    discount_type: numberOf(read("discount_type")),
    discount_value: numberOf(read("discount_value")),
  };
}

/**
 * Returns the possible price tags of the product: one, unless the unit is unknown and matters.
 * Where the listing still shows the price that we sent last, that gives the unit for this product.
 * An absent price and 0 are the same in both units.
 */
export function readPriceTags(
  known: Omit<CompareInput, "wanted" | "categoryName">,
): readonly PriceTag[] {
  const { seen, lastSent, priceUnit } = known;
  const shown = seen?.price;
  if (priceUnit !== "unknown" || typeof shown !== "number" || shown <= 0) {
    return [readPriceTag(known)];
  }
  const told = lastSent?.price === undefined ? [] : findUnits(lastSent.price, shown);
  const units = told.length === 0 ? KNOWN_UNITS : told;
  return units.map((unit) => readPriceTag({ ...known, priceUnit: unit }));
}

const numberOf = (value: unknown): number | undefined =>
  typeof value === "number" ? value : undefined;

const BEYOND_ASCII = /[^\0-\u007f]/u;

/**
 * Whether a new text has `?` where the old one has a letter beyond ASCII, and all before it is
 * alike, as where an old encoding has passed it on.
 */
export function losesLetters(old: string, text: string): boolean {
  const at = text.indexOf("?");
  if (at === -1 || !old.startsWith(text.slice(0, at))) return false;
  return BEYOND_ASCII.test(old.charAt(at)) || losesLetters(old.slice(at + 1), text.slice(at + 1));
}
