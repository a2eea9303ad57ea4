/**
 * Identifiers, branded so that one does not fit where another goes. The specification says only
 * that an ObjectId is an identifier string, so nothing but emptiness is refused here.
 */

import * as z from "zod";

/**
 * Marks a text or a number as one of the things below. It is a field that no value has, and not a
 * symbol: ids of one copy of this module fit another copy of it, such as those that
 * `@catalog/client` and `@catalog/mapping` bring along.
 */
export interface Branded<Name extends string> {
  readonly "~brand": Name;
}

/** What has an id: things of the marketplace, in the words of its specification. */
export type IdKind =
  | "address"
  | "brand"
  | "brandModel"
  | "category"
  | "comment"
  | "orderItem"
  | "package"
  | "payment"
  | "product"
  | "property"
  | "propertyOption"
  | "question"
  | "shippingCompany"
  | "shippingTemplate"
  | "store";

/** The id of one kind of thing: an `Id<"brand">` does not fit where an `Id<"category">` goes. */
export type Id<Kind extends IdKind> = string & Branded<`${Capitalize<Kind>}Id`>;

/** A product of the store. */
export type ProductId = Id<"product">;

/** `format` of an ObjectId in a JSON schema. */
export const OBJECT_ID_FORMAT = "object-id";

/** Makes the schema of an id; its title names the id in documents. */
function idOf<Kind extends IdKind>(kind: Kind, format?: string): z.ZodType<Id<Kind>> {
  const title = `${kind.charAt(0).toUpperCase()}${kind.slice(1)}Id`;
  const schema = z.string().min(1);
  // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- the brand's one constructor
  return schema.meta({ title, ...(format && { format }) }) as unknown as z.ZodType<Id<Kind>>;
}

/** The schema of each id: `idSchemas.product.parse("…")` makes a `ProductId` of a text that is not empty. */
export const idSchemas: { readonly [Kind in IdKind]: z.ZodType<Id<Kind>> } = {
  address: idOf("address", OBJECT_ID_FORMAT),
  brand: idOf("brand", OBJECT_ID_FORMAT),
  brandModel: idOf("brandModel", OBJECT_ID_FORMAT),
  category: idOf("category", OBJECT_ID_FORMAT),
  comment: idOf("comment", OBJECT_ID_FORMAT),
  orderItem: idOf("orderItem", OBJECT_ID_FORMAT),
  // The specification calls it a String, not an ObjectId (section Resources, Package).
  package: idOf("package"),
  payment: idOf("payment", OBJECT_ID_FORMAT),
  product: idOf("product", OBJECT_ID_FORMAT),
  property: idOf("property", OBJECT_ID_FORMAT),
  propertyOption: idOf("propertyOption", OBJECT_ID_FORMAT),
  question: idOf("question", OBJECT_ID_FORMAT),
  shippingCompany: idOf("shippingCompany", OBJECT_ID_FORMAT),
  shippingTemplate: idOf("shippingTemplate", OBJECT_ID_FORMAT),
  store: idOf("store", OBJECT_ID_FORMAT),
};

/** A price in minor units: kuruş for TL, cent for USD and EUR (section Products, add). */
export type PriceMinor = number & Branded<"PriceMinor">;

/** Accepts whole minor units from 1 up to the largest integer that JSON numbers keep exact. */
// oxlint-disable-next-line typescript/no-unsafe-type-assertion -- the brand's one constructor
export const priceMinor: z.ZodType<PriceMinor> = z
  .int()
  .positive() as unknown as z.ZodType<PriceMinor>;

/**
 * At most 13 digits before the point, so that a JSON number keeps the price exact in hundredths;
 * decimals after the second must be zeros.
 */
const DECIMAL_TEXT = /^-?\d{1,13}(?:\.\d{1,2}0{0,4})?$/u;

/**
 * A price in an answer. The specification says Number for most prices, so a text such as "1299.90"
 * is read as the number that it writes; the unit is not stated. A comma, a thousands separator or a
 * currency sign is refused, because it could be misread.
 */
export const answeredPrice: z.ZodType<number> = z.union([
  z.number(),
  z.string().regex(DECIMAL_TEXT).transform(Number),
]);
