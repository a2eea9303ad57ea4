/** The fields that the product search and the store's own listing share. */

import * as z from "zod";

import {
  type BrandId,
  brandId,
  type ProductId,
  productId,
  type PropertyId,
  propertyId,
  type PropertyOptionId,
  propertyOptionId,
} from "../ids.ts";
import { answeredPrice } from "../money.ts";

/** A property as listings answer with it (section Resources, Product). */
export interface ProductProperty {
  readonly property?: string | null | undefined;
  readonly property_id?: PropertyId | null | undefined;
  readonly option?: string | null | undefined;
  readonly option_id?: PropertyOptionId | null | undefined;
}

/** The fields that every product listing shares (section Resources, Product). */
export interface ProductFacts {
  readonly id: ProductId;
  readonly title?: string | null | undefined;
  readonly subtitle?: string | null | undefined;
  readonly product_code?: string | null | undefined;
  readonly category_name?: string | null | undefined;
  readonly brand_id?: BrandId | null | undefined;
  readonly brand_name?: string | null | undefined;
  readonly warranty?: string | null | undefined;
  readonly warranty_time?: string | null | undefined;
  readonly warranty_type?: number | null | undefined;
  readonly warranty_period?: number | null | undefined;
  readonly stock?: number | null | undefined;
  readonly sid?: number | null | undefined;
  readonly description?: string | null | undefined;
  readonly item_type?: string | null | undefined;
  readonly properties?: readonly ProductProperty[] | null | undefined;
  readonly variants?: readonly unknown[] | null | undefined;
  readonly currency?: string | null | undefined;
  readonly url?: string | null | undefined;
  readonly price?: number | null | undefined;
  readonly has_discount?: boolean | null | undefined;
  readonly paid_price?: number | null | undefined;
  readonly images?: readonly unknown[] | null | undefined;
}

/** The schema of each field of `ProductFacts`. */
export const productFacts: {
  readonly [Fact in keyof ProductFacts]-?: z.ZodType<ProductFacts[Fact]>;
} = {
  id: productId,
  title: z.string().nullish(),
  subtitle: z.string().nullish(),
  product_code: z.string().nullish(),
  category_name: z.string().nullish(),
  brand_id: brandId.nullish(),
  brand_name: z.string().nullish(),
  warranty: z.string().nullish(),
  warranty_time: z.string().nullish(),
  warranty_type: z.number().nullish(),
  warranty_period: z.number().nullish(),
  stock: z.number().nullish(),
  sid: z.number().nullish(),
  description: z.string().nullish(),
  item_type: z.string().nullish(),
  properties: z
    .array(
      z.looseObject({
        property: z.string().nullish(),
        property_id: propertyId.nullish(),
        option: z.string().nullish(),
        option_id: propertyOptionId.nullish(),
      }),
    )
    .nullish(),
  variants: z.array(z.unknown()).nullish(),
  currency: z.string().nullish(),
  url: z.string().nullish(),
  price: answeredPrice.nullish(),
  has_discount: z.boolean().nullish(),
  paid_price: answeredPrice.nullish(),
  images: z.array(z.unknown()).nullish(),
};
