/**
 * Says who changed a product between two readings. A change is ours where it is what we sent and no
 * reading has shown yet; any other one is of others, whoever they are: a person, another program, a
 * sale.
 */

import type { ProductChanges, StoreProduct } from "../ports/product.ts";
import { DISCOUNT_FIELDS, isSameValue, toAddresses } from "./compare.ts";
import { findUnits, type PriceUnit, toMinor } from "./price-unit.ts";

/** What was sent for a product and no reading has shown yet, by field of the comparison. */
export type UnshownFields = Readonly<Record<string, UnshownField>>;

interface UnshownField {
  /** As it was sent; of a discount its fields that were sent. */
  readonly value: unknown;
  /** When its request ended. */
  readonly atMs: number;
}

/** A field that somebody else has changed. Amounts are as listed, in the unit of the listing. */
export interface ShownChange {
  /**
   * Named as in the add call. `discount_value` stands for the whole discount: its values are `null`
   * or `{ type, value }`; `category_id` and `brand_id` have names; `status` is the list of the store.
   */
  readonly field: string;
  readonly before: unknown;
  readonly after: unknown;
  /** When the earlier value was seen last, or was sent by us. */
  readonly sinceMs: number;
}

/** A product as a reading showed it. */
export interface Shown {
  readonly status: string;
  readonly product: StoreProduct;
  readonly atMs: number;
}

/** What we sent between the readings. */
interface SentBetween {
  /** Of requests that have ended. */
  readonly unshown: UnshownFields;
  /** Of requests under way, whose effect may be shown or not. */
  readonly open: readonly ProductChanges[];
  readonly priceUnit: PriceUnit;
}

/** How long a value that was sent may take until a reading shows it, in milliseconds. */
const SHOWN_WITHIN_MS = 24 * 60 * 60_000;

/** Returns what others changed, and what is still to be shown of what we sent. */
export function findShownChanges(
  before: Shown,
  after: Shown,
  { unshown, open, priceUnit }: SentBetween,
): { readonly others: readonly ShownChange[]; readonly unshown: UnshownFields } {
  const others: ShownChange[] = [];
  const left: Record<string, UnshownField> = {};
  for (const [field, { read, isSent }] of FIELDS) {
    const [was, is] = [read(before.product), read(after.product)];
    const sent = unshown[field];
    const shows = (value: unknown): boolean | undefined =>
      isSent?.(value, is, { product: after.product, priceUnit });
    if (isSameValue(was, is)) {
      const isAwaited = sent !== undefined && after.atMs - sent.atMs < SHOWN_WITHIN_MS;
      if (isAwaited && shows(sent.value) !== true) left[field] = sent;
      continue;
    }
    const isOurs =
      (sent !== undefined && shows(sent.value) !== false) ||
      open.some((body) => isNamed(body, field) && shows(toSent(body, field)) !== false);
    if (isOurs) continue;
    const [value, sinceMs] =
      sent === undefined
        ? [was, before.atMs]
        : [toListed(field, sent.value, { listed: was, priceUnit }), sent.atMs];
    others.push({ field, before: value, after: is, sinceMs });
  }
  if (before.status !== after.status) {
    const [was, is] = [before.status, after.status];
    others.push({ field: "status", before: was, after: is, sinceMs: before.atMs });
  }
  return { others, unshown: left };
}

/** Adds what a request has sent to what is still to be shown; what `shown` has already is left out. */
export function addUnshown(
  unshown: UnshownFields,
  { body, atMs }: { readonly body: ProductChanges; readonly atMs: number },
  { product, priceUnit }: { readonly product: StoreProduct; readonly priceUnit: PriceUnit },
): UnshownFields {
  const next: Record<string, UnshownField> = { ...unshown };
  for (const [field, { read, isSent }] of FIELDS) {
    if (!isNamed(body, field)) continue;
    const value = toSent(body, field);
    const isShown = isSent?.(value, read(product), { product, priceUnit }) ?? false;
    if (isShown) delete next[field];
    else next[field] = { value, atMs };
  }
  return next;
}

const isDiscount = (field: string): boolean => field === "discount_value";

/** Whether a body sets the field of the comparison. */
function isNamed(body: ProductChanges, field: string): boolean {
  if (isDiscount(field)) return DISCOUNT_FIELDS.some((name) => body[name] !== undefined);
  return Reflect.get(body, field) !== undefined;
}

function toSent(body: ProductChanges, field: string): unknown {
  if (!isDiscount(field)) return Reflect.get(body, field);
  const { has_discount, discount_type, discount_value } = body;
  return { has_discount, discount_type, discount_value };
}

interface ListedBy {
  readonly product: StoreProduct;
  readonly priceUnit: PriceUnit;
}

interface ComparedField {
  /** The value as listed; `undefined` where the listing does not show it. */
  readonly read: (product: StoreProduct) => unknown;
  /**
   * Whether the listed value is the sent one; `undefined` where nobody can tell, so that the first
   * change after it was sent is taken for ours. @default the store may show it in a form of its own
   */
  readonly isSent?: (sent: unknown, listed: unknown, by: ListedBy) => boolean | undefined;
}

const equals = (sent: unknown, listed: unknown): boolean => isSameValue(listed, sent);

const FIELDS: ReadonlyMap<string, ComparedField> = new Map<string, ComparedField>([
  ["title", { read: ({ title }) => title ?? undefined }],
  ["sub_title", { read: ({ subtitle }) => subtitle ?? undefined }],
  ["description", { read: ({ description }) => description ?? undefined }],
  ["category_id", { read: ({ category_name: name }) => name ?? undefined }],
  [
    "brand_id",
    {
      read: ({ brand_name: name, brand_id: id }) => name ?? id ?? undefined,
      isSent: (sent, _listed, { product: { brand_id: id } }) =>
        id === null || id === undefined ? undefined : id === sent,
    },
  ],
  ["currency", { read: ({ currency }) => currency ?? undefined, isSent: equals }],
  [
    "price",
    {
      read: ({ price }) => price ?? undefined,
      isSent: (sent, listed, { priceUnit }) => isAmount(sent, listed, priceUnit),
    },
  ],
  ["discount_value", { read: readDiscount, isSent: isSentDiscount }],
  ["stock_count", { read: ({ stock }) => stock ?? undefined, isSent: equals }],
  ["warranty_type", { read: ({ warranty_type: type }) => type ?? undefined, isSent: equals }],
  [
    "warranty_period",
    { read: ({ warranty_period: period }) => period ?? undefined, isSent: equals },
  ],
  [
    "shipping_template_id",
    { read: ({ shipping_template_id: id }) => id ?? undefined, isSent: equals },
  ],
  ["images", { read: (product) => toAddresses(product) }],
  [
    "properties",
    {
      read: ({ properties }) =>
        properties?.map(({ property, property_id, option, option_id }) => [
          property ?? property_id,
          option ?? option_id,
        ]),
    },
  ],
]);

/** A listed discount; `null` for none. */
interface ListedDiscount {
  readonly type: number | null;
  readonly value: number | null;
}

function readDiscount(product: StoreProduct): ListedDiscount | null {
  const { has_discount, discount_type: type, discount_value: value } = product;
  if (has_discount !== true) return null;
  return { type: type ?? null, value: typeof value === "number" ? value : null };
}

function isSentDiscount(sent: unknown, _listed: unknown, by: ListedBy): boolean {
  const listed = readDiscount(by.product);
  const { has_discount, discount_type: type, discount_value: value } = toDiscount(sent);
  if (has_discount === false) return listed === null;
  if (listed === null) return false;
  if (type !== undefined && type !== listed.type) return false;
  if (value === undefined) return true;
  return listed.type === 2 ? listed.value === value : isAmount(value, listed.value, by.priceUnit);
}

const toDiscount = (sent: unknown): ProductChanges =>
  typeof sent === "object" && sent !== null ? sent : {};

function isAmount(sent: unknown, listed: unknown, unit: PriceUnit): boolean {
  if (typeof sent !== "number" || typeof listed !== "number") return false;
  return unit === "unknown" ? findUnits(sent, listed).length > 0 : toMinor(listed, unit) === sent;
}

interface SentForm {
  /** What the listing showed before, where the sent value has no form of the listing. */
  readonly listed: unknown;
  readonly priceUnit: PriceUnit;
}

/** A sent value as the listing would show it. */
function toListed(field: string, sent: unknown, form: SentForm): unknown {
  if (field === "price") return toListedAmount(sent, form);
  if (!isDiscount(field)) return field === "brand_id" ? form.listed : sent;
  const { has_discount, discount_type: type, discount_value: value } = toDiscount(sent);
  if (has_discount === false) return null;
  if (type === undefined || value === undefined) return form.listed;
  const amount = type === 2 ? value : toListedAmount(value, { ...form, listed: undefined });
  return amount === undefined ? form.listed : { type, value: amount };
}

function toListedAmount(sent: unknown, { listed, priceUnit }: SentForm): unknown {
  if (typeof sent !== "number" || priceUnit === "unknown") return listed;
  return priceUnit === "minor" ? sent : sent / 100;
}
