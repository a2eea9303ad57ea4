/**
 * Identifiers, branded so that one does not fit where another goes. The specification says only
 * that an ObjectId is an identifier string, so nothing but emptiness is refused here.
 */

import * as z from "zod";

export type StoreId = string & z.$brand<"StoreId">;
export type ProductId = string & z.$brand<"ProductId">;
export type CategoryId = string & z.$brand<"CategoryId">;
export type BrandId = string & z.$brand<"BrandId">;
export type BrandModelId = string & z.$brand<"BrandModelId">;
export type ShippingTemplateId = string & z.$brand<"ShippingTemplateId">;
export type PropertyId = string & z.$brand<"PropertyId">;
export type PropertyOptionId = string & z.$brand<"PropertyOptionId">;

/** The one place where a text becomes an id. */
const objectId = <Id extends string>(): z.ZodType<Id> =>
  // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- the brand's one constructor
  z.string().min(1) as unknown as z.ZodType<Id>;

export const storeId: z.ZodType<StoreId> = objectId();
export const productId: z.ZodType<ProductId> = objectId();
export const categoryId: z.ZodType<CategoryId> = objectId();
export const brandId: z.ZodType<BrandId> = objectId();
export const brandModelId: z.ZodType<BrandModelId> = objectId();
export const shippingTemplateId: z.ZodType<ShippingTemplateId> = objectId();
export const propertyId: z.ZodType<PropertyId> = objectId();
export const propertyOptionId: z.ZodType<PropertyOptionId> = objectId();
