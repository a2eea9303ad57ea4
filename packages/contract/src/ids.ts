/**
 * Identifiers, branded so that one does not fit where another goes. The specification says only
 * that an ObjectId is an identifier string, so nothing but emptiness is refused here.
 */

import * as z from "zod";

/** Id of a store. */
export type StoreId = string & z.$brand<"StoreId">;
/** Id of a product. */
export type ProductId = string & z.$brand<"ProductId">;
/** Id of a category. */
export type CategoryId = string & z.$brand<"CategoryId">;
/** Id of a brand. */
export type BrandId = string & z.$brand<"BrandId">;
/** Id of a model of a brand. */
export type BrandModelId = string & z.$brand<"BrandModelId">;
/** Id of a store's shipping template. */
export type ShippingTemplateId = string & z.$brand<"ShippingTemplateId">;
/** Id of a property of a category. */
export type PropertyId = string & z.$brand<"PropertyId">;
/** Id of one option of a property. */
export type PropertyOptionId = string & z.$brand<"PropertyOptionId">;

/** The one place where a text becomes an id. */
const objectId = <Id extends string>(): z.ZodType<Id> =>
  // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- the brand's one constructor
  z.string().min(1) as unknown as z.ZodType<Id>;

/** Reads the id of a store. */
export const storeId: z.ZodType<StoreId> = objectId();
/** Reads the id of a product. */
export const productId: z.ZodType<ProductId> = objectId();
/** Reads the id of a category. */
export const categoryId: z.ZodType<CategoryId> = objectId();
/** Reads the id of a brand. */
export const brandId: z.ZodType<BrandId> = objectId();
/** Reads the id of a model of a brand. */
export const brandModelId: z.ZodType<BrandModelId> = objectId();
/** Reads the id of a store's shipping template. */
export const shippingTemplateId: z.ZodType<ShippingTemplateId> = objectId();
/** Reads the id of a property of a category. */
export const propertyId: z.ZodType<PropertyId> = objectId();
/** Reads the id of one option of a property. */
export const propertyOptionId: z.ZodType<PropertyOptionId> = objectId();
