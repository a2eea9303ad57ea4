/**
 * Judges the recheck of an update: whether the fields that the row writes still have the values of
 * the plan. Both listings are compared as they are, so the unit of prices need not be known.
 */

import { openBody } from "../guards/stock-first.ts";
import { isSameValue, readShown } from "../plan/compare.ts";
import type { PriceUnit } from "../plan/price-unit.ts";
import type { ProductChanges, StoreProduct } from "../ports/product.ts";
import type { ChangedField, FieldChange, RowRecord } from "../row/row-record.ts";

export interface RecheckInput {
  readonly record: Pick<RowRecord, "payload" | "changes">;
  /** The listing that the row was decided on; absent where it did not show the product. */
  readonly planned: StoreProduct | undefined;
  /** The listed product; absent where no status shows it. */
  readonly now: StoreProduct | undefined;
  /** What was sent last for the product, over all runs. */
  readonly lastSent?: ProductChanges | undefined;
  readonly priceUnit: PriceUnit;
  /**
   * Whether a request of the row may have left before, so that the store may show our own value.
   */
  readonly wasSent: boolean;
  /** Fields that the row may write over any listed value. @default none */
  readonly ignored?: ReadonlySet<string> | undefined;
}

/**
 * - `same`: the row overwrites the planned values, or fields that have its values already.
 * - `overtaken`: it would overwrite other values.
 * - `gone`: the product was listed when the row was planned, and no status shows it now.
 */
export type RecheckFinding =
  | { readonly kind: "same"; readonly before: StoreProduct | undefined }
  | {
      readonly kind: "overtaken";
      readonly fields: readonly ChangedField[];
      readonly before: StoreProduct | undefined;
    }
  | { readonly kind: "gone" };

/** Judges one row. `before` is the listing that its request would overwrite, for an undo. */
export function judgeRecheck(given: RecheckInput): RecheckFinding {
  const input = { ...given, record: { ...given.record, payload: openBody(given.record) } };
  const { record, planned, now } = input;
  if (now === undefined) {
    const wasShown = planned !== undefined || record.changes.some(({ old }) => old !== undefined);
    return wasShown ? { kind: "gone" } : { kind: "same", before: undefined };
  }
  const wanted = new Set(fieldsOf(input).filter((field) => isWanted(input, now, field)));
  const others = fieldsOf(input).filter((field) => !wanted.has(field));
  const fields = others.flatMap((field) => findChanged(input, now, field));
  const before = toBefore(input, now, wanted);
  return fields.length === 0 ? { kind: "same", before } : { kind: "overtaken", fields, before };
}

/** Returns the changes of a row against what the store shows now. */
export function changesFrom(
  { changes, payload }: RowRecord,
  now: StoreProduct,
  priceUnit: PriceUnit,
): readonly FieldChange[] {
  const shown = shownIn(payload ?? {}, now, priceUnit);
  return changes.map(({ field, new: ours, part }): FieldChange => {
    const old = shown.get(field)?.shown;
    return {
      field,
      ...(old !== undefined && { old }),
      new: ours,
      ...(part !== undefined && { part }),
    };
  });
}

type Field = keyof ProductChanges;
type Attribute = keyof StoreProduct;

/**
 * The listed fields behind each field of a row. A price belongs to its currency, and the fields of
 * a discount to each other. A field that is missing here is in no listing and is not rechecked.
 */
const LISTED_FIELDS: Partial<Readonly<Record<Field, readonly Attribute[]>>> = {
  title: ["title"],
  sub_title: ["subtitle"],
  category_id: ["category_name"],
  brand_id: ["brand_id"],
  description: ["description"],
  currency: ["currency"],
  price: ["price", "currency"],
  has_discount: ["has_discount", "discount_type", "discount_value"],
  discount_type: ["discount_type"],
  discount_value: ["discount_value", "discount_type"],
  stock_count: ["stock"],
  warranty_type: ["warranty_type"],
  warranty_period: ["warranty_period"],
  shipping_template_id: ["shipping_template_id"],
  images: ["images"],
  properties: ["properties"],
};

/** Listed names of ids, which are not compared but belong to them. */
const LISTED_NAMES: Partial<Readonly<Record<Field, readonly Attribute[]>>> = {
  brand_id: ["brand_name"],
};

const isField = (name: string): name is Field => name in LISTED_FIELDS;

function fieldsOf({ record, ignored }: RecheckInput): readonly Field[] {
  return Object.entries(record.payload ?? {})
    .filter(([name, value]) => value !== undefined && ignored?.has(name) !== true)
    .map(([name]) => name)
    .filter(isField);
}

function findChanged(
  input: RecheckInput,
  now: StoreProduct,
  field: Field,
): readonly ChangedField[] {
  const { record, planned, priceUnit } = input;
  const body: ProductChanges = record.payload ?? {};
  if (planned === undefined) return findUnplanned(input, now, field);
  const [first, ...rest] = LISTED_FIELDS[field] ?? [];
  const differs = (attribute: Attribute): boolean =>
    !isSameValue(planned[attribute] ?? null, now[attribute] ?? null);
  if (first !== undefined && differs(first)) {
    const valueIn = (seen: StoreProduct): unknown =>
      shownIn(body, seen, priceUnit).get(field)?.shown ?? seen[first] ?? null;
    return [{ field, old: valueIn(planned), now: valueIn(now), new: body[field] }];
  }
  const other = rest.find(differs);
  if (other === undefined) return [];
  const valueIn = (seen: StoreProduct): unknown => seen[other] ?? null;
  return [{ field: other, old: valueIn(planned), now: valueIn(now), new: body[field] }];
}

/**
 * Fields of a product that was not listed when the row was planned; they are compared with the
 * values sent last.
 */
function findUnplanned(
  { record, lastSent, priceUnit }: RecheckInput,
  now: StoreProduct,
  field: Field,
): readonly ChangedField[] {
  const body: ProductChanges = record.payload ?? {};
  const current = shownIn(body, now, priceUnit).get(field)?.shown;
  const planned = record.changes.find((change) => change.field === field)?.old;
  // A store may show our images under its own addresses.
  const sent = field === "images" ? undefined : lastSent?.[field];
  const old = planned ?? sent;
  if (old === undefined || current === undefined || isSameValue(old, current)) return [];
  return [{ field, old, now: current, new: body[field] }];
}

type ShownFields = ReadonlyMap<string, ReturnType<typeof readShown>[number]>;

const shownIn = (body: ProductChanges, seen: StoreProduct, priceUnit: PriceUnit): ShownFields =>
  new Map(readShown(body, { seen, priceUnit }).map((one) => [one.field, one]));

/** A field that has the row's value already is not overwritten. */
function isWanted(
  { record, priceUnit, wasSent }: RecheckInput,
  now: StoreProduct,
  field: Field,
): boolean {
  // While the unit is unknown, the store may show our own price in either unit.
  const isOpen = priceUnit === "unknown" && wasSent;
  const units: readonly PriceUnit[] = isOpen ? ["minor", "major"] : [priceUnit];
  return units.some((unit) => shownIn(record.payload ?? {}, now, unit).get(field)?.isSame === true);
}

/** A value that an earlier request of the row may have written is not what the row overwrites. */
function toBefore(
  input: RecheckInput,
  now: StoreProduct,
  wanted: ReadonlySet<Field>,
): StoreProduct | undefined {
  const { record, planned, wasSent } = input;
  const isPart = record.changes.some(({ part }) => part !== undefined);
  if (isPart) return toBeforePart(input, now, wanted);
  if (!wasSent) return now;
  if (planned === undefined) return undefined;
  return { ...now, ...pickListed(planned, [...wanted]) };
}

/**
 * Of a row that goes in two requests, only the values that this one overwrites are replaced: the
 * fields that wait must be compared with what their plan has seen, and those that were sent must
 * stay as they were before.
 */
function toBeforePart(
  input: RecheckInput,
  now: StoreProduct,
  wanted: ReadonlySet<Field>,
): StoreProduct | undefined {
  const { planned, wasSent } = input;
  if (planned === undefined) return undefined;
  const written = fieldsOf(input).filter((field) => !(wasSent && wanted.has(field)));
  return { ...planned, ...pickListed(now, written) };
}

/** The listed values of fields that the row itself has written; those of a discount are one. */
export function pickOwn(seen: StoreProduct, fields: readonly string[]): Partial<StoreProduct> {
  const attributes = fields.filter(isField).flatMap((field) => {
    const [first, ...rest] = LISTED_FIELDS[field] ?? [];
    return [first, ...(field === "has_discount" ? rest : [])].filter((name) => name !== undefined);
  });
  return Object.fromEntries(attributes.map((attribute) => [attribute, seen[attribute]]));
}

function pickListed(seen: StoreProduct, fields: readonly Field[]): Partial<StoreProduct> {
  const listed = [LISTED_FIELDS, LISTED_NAMES];
  const attributes = fields.flatMap((field) => listed.flatMap((names) => names[field] ?? []));
  return Object.fromEntries(attributes.map((attribute) => [attribute, seen[attribute]]));
}
