/** An order with its packages and their items, as the listing answers with them. */

import * as z from "zod";

import { type PackageId, packageId } from "../ids.ts";
import { answeredPrice } from "../money.ts";

/** Section Resources, Item. The unit of amounts and the fields of a variant are not stated. */
export interface OrderItem {
  readonly product_name?: string | null | undefined;
  readonly product_code?: string | null | undefined;
  readonly product_uid?: string | null | undefined;
  readonly product_id?: string | null | undefined;
  readonly count?: number | null | undefined;
  readonly order_number?: string | null | undefined;
  readonly product_price?: number | null | undefined;
  readonly paid_amount?: number | null | undefined;
  readonly store_payout_amount?: number | null | undefined;
  readonly platform_commission_amount?: number | null | undefined;
  readonly payment_id?: number | null | undefined;
  readonly shipping_amount?: number | null | undefined;
  readonly shipping_time_exceeded?: boolean | null | undefined;
  readonly installment_count?: number | null | undefined;
  readonly installment_commission?: number | null | undefined;
  readonly currency?: string | null | undefined;
  readonly currency_rate?: number | null | undefined;
  readonly order_platform?: string | null | undefined;
  readonly status?: number | null | undefined;
  readonly status_explained?: string | null | undefined;
  readonly discount_amount?: number | null | undefined;
  readonly product_url?: string | null | undefined;
  readonly product_images?: readonly unknown[] | null | undefined;
  readonly variant?: unknown;
}

/** How a package travels; `shipping_address` is a number, as the specification has it. */
export interface PackageShipping {
  readonly shipping_discount_code?: string | null | undefined;
  readonly shipping_company?: string | null | undefined;
  readonly total_shipping_price?: number | null | undefined;
  readonly shipping_address?: number | null | undefined;
}

/** Section Resources, Package: what the order calls act on. */
export interface OrderPackage {
  readonly package_id: PackageId;
  readonly shipping?: PackageShipping | null | undefined;
  readonly status?: number | null | undefined;
  readonly status_explained?: string | null | undefined;
  readonly items?: readonly OrderItem[] | null | undefined;
  readonly total_price?: number | null | undefined;
  readonly invoice_draft?: string | null | undefined;
}

/** Section Resources, Order. The unit of prices is not stated. */
export interface Order {
  readonly code: string;
  readonly packages: readonly OrderPackage[];
  readonly total_price?: number | null | undefined;
  readonly total_shipping_price?: number | null | undefined;
  readonly order_date?: string | null | undefined;
  readonly payment_type?: string | null | undefined;
  readonly payment_type_explained?: string | null | undefined;
  /** The buyer's e-mail address. */
  readonly email?: string | null | undefined;
  readonly shipping_address?: string | null | undefined;
}

const orderItem: z.ZodType<OrderItem> = z.looseObject({
  product_name: z.string().nullish(),
  product_code: z.string().nullish(),
  product_uid: z.string().nullish(),
  product_id: z.string().nullish(),
  count: z.number().nullish(),
  order_number: z.string().nullish(),
  product_price: answeredPrice.nullish(),
  paid_amount: answeredPrice.nullish(),
  store_payout_amount: answeredPrice.nullish(),
  platform_commission_amount: answeredPrice.nullish(),
  payment_id: z.number().nullish(),
  shipping_amount: answeredPrice.nullish(),
  shipping_time_exceeded: z.boolean().nullish(),
  installment_count: z.number().nullish(),
  installment_commission: z.number().nullish(),
  currency: z.string().nullish(),
  currency_rate: z.number().nullish(),
  order_platform: z.string().nullish(),
  status: z.number().nullish(),
  status_explained: z.string().nullish(),
  discount_amount: answeredPrice.nullish(),
  product_url: z.string().nullish(),
  product_images: z.array(z.unknown()).nullish(),
  variant: z.unknown().optional(),
});

const orderPackage: z.ZodType<OrderPackage> = z.looseObject({
  package_id: packageId,
  shipping: z
    .looseObject({
      shipping_discount_code: z.string().nullish(),
      shipping_company: z.string().nullish(),
      total_shipping_price: answeredPrice.nullish(),
      shipping_address: z.number().nullish(),
    })
    .nullish(),
  status: z.number().nullish(),
  status_explained: z.string().nullish(),
  items: z.array(orderItem).nullish(),
  total_price: answeredPrice.nullish(),
  invoice_draft: z.string().nullish(),
});

/** Schema of an order in an answer. */
export const order: z.ZodType<Order> = z.looseObject({
  code: z.string(),
  packages: z.array(orderPackage),
  total_price: answeredPrice.nullish(),
  total_shipping_price: answeredPrice.nullish(),
  order_date: z.string().nullish(),
  payment_type: z.string().nullish(),
  payment_type_explained: z.string().nullish(),
  email: z.string().nullish(),
  shipping_address: z.string().nullish(),
});

/**
 * The answer of the order listing. The specification says "Order" and not whether that is one or a
 * list of them (section Orders), so both are taken; an object without a code is neither.
 */
export type OrderListing = Order | readonly Order[];

/** Schema of the order listing's answer. */
export const orderListing: z.ZodType<OrderListing> = z.union([z.array(order), order]);

/** The orders of a listing, whichever form it came in. */
export function toOrders(listing: OrderListing): readonly Order[] {
  return "code" in listing ? [listing] : listing;
}
