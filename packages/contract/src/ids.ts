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

/** The store that calls are made for. */
export type StoreId = string & Branded<"StoreId">;
/** A product. */
export type ProductId = string & Branded<"ProductId">;
/** A category. */
export type CategoryId = string & Branded<"CategoryId">;
/** A brand. */
export type BrandId = string & Branded<"BrandId">;
/** A model of a brand. */
export type BrandModelId = string & Branded<"BrandModelId">;
/** A shipping template. */
export type ShippingTemplateId = string & Branded<"ShippingTemplateId">;
/** A property of a category. */
export type PropertyId = string & Branded<"PropertyId">;
/** A value of a property. */
export type PropertyOptionId = string & Branded<"PropertyOptionId">;
/** A package of an order. */
export type PackageId = string & Branded<"PackageId">;
/** A comment. */
export type CommentId = string & Branded<"CommentId">;
/** A shipping company. */
export type ShippingCompanyId = string & Branded<"ShippingCompanyId">;
/** An address of the store. */
export type AddressId = string & Branded<"AddressId">;
/** A customer's question. */
export type QuestionId = string & Branded<"QuestionId">;
/** A payment record. */
export type PaymentId = string & Branded<"PaymentId">;
/** An item of an order, as payments name it. */
export type OrderItemId = string & Branded<"OrderItemId">;

/** `format` of an ObjectId in a JSON schema. */
export const OBJECT_ID_FORMAT = "object-id";

/**
 * Makes the schema of an id, the only place where a text becomes one. The title names the id in
 * documents.
 */
const objectId = <Id extends string>(title: string): z.ZodType<Id> =>
  // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- the brand's one constructor
  z.string().min(1).meta({ title, format: OBJECT_ID_FORMAT }) as unknown as z.ZodType<Id>;

/** Makes a `StoreId` of any text that is not empty. */
export const storeId: z.ZodType<StoreId> = objectId("StoreId");
/** Makes a `ProductId` of any text that is not empty. */
export const productId: z.ZodType<ProductId> = objectId("ProductId");
/** Makes a `CategoryId` of any text that is not empty. */
export const categoryId: z.ZodType<CategoryId> = objectId("CategoryId");
/** Makes a `BrandId` of any text that is not empty. */
export const brandId: z.ZodType<BrandId> = objectId("BrandId");
/** Makes a `BrandModelId` of any text that is not empty. */
export const brandModelId: z.ZodType<BrandModelId> = objectId("BrandModelId");
/** Makes a `ShippingTemplateId` of any text that is not empty. */
export const shippingTemplateId: z.ZodType<ShippingTemplateId> = objectId("ShippingTemplateId");
/** Makes a `PropertyId` of any text that is not empty. */
export const propertyId: z.ZodType<PropertyId> = objectId("PropertyId");
/** Makes a `PropertyOptionId` of any text that is not empty. */
export const propertyOptionId: z.ZodType<PropertyOptionId> = objectId("PropertyOptionId");
/** Makes a `CommentId` of any text that is not empty. */
export const commentId: z.ZodType<CommentId> = objectId("CommentId");
/** Makes a `ShippingCompanyId` of any text that is not empty. */
export const shippingCompanyId: z.ZodType<ShippingCompanyId> = objectId("ShippingCompanyId");
/** Makes an `AddressId` of any text that is not empty. */
export const addressId: z.ZodType<AddressId> = objectId("AddressId");
/** Makes a `QuestionId` of any text that is not empty. */
export const questionId: z.ZodType<QuestionId> = objectId("QuestionId");
/** Makes a `PaymentId` of any text that is not empty. */
export const paymentId: z.ZodType<PaymentId> = objectId("PaymentId");
/** Makes an `OrderItemId` of any text that is not empty. */
export const orderItemId: z.ZodType<OrderItemId> = objectId("OrderItemId");

/**
 * The `package_id` of an order. The specification calls it a String, not an ObjectId (section
 * Resources, Package).
 */
// oxlint-disable-next-line typescript/no-unsafe-type-assertion -- the brand's one constructor
export const packageId: z.ZodType<PackageId> = z
  .string()
  .min(1)
  .meta({ title: "PackageId" }) as unknown as z.ZodType<PackageId>;

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
