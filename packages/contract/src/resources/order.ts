/** An order with its packages and their items, as the listing answers with them. */

import * as z from "zod";

import { type Endpoint, type NoInput, ORDER_STATUS, timestamp, withDefault } from "../endpoint.ts";
import { answeredPrice, idSchemas, type Id } from "../ids.ts";

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
interface PackageShipping {
  readonly shipping_discount_code?: string | null | undefined;
  readonly shipping_company?: string | null | undefined;
  readonly total_shipping_price?: number | null | undefined;
  readonly shipping_address?: number | null | undefined;
}

/** Section Resources, Package: what the order calls act on. */
export interface OrderPackage {
  readonly package_id: Id<"package">;
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
  package_id: idSchemas.package,
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
type OrderListing = Order | readonly Order[];

/** Schema of the order listing's answer. */
const orderListing: z.ZodType<OrderListing> = z.union([z.array(order), order]);

/** The orders of a listing, whichever form it came in. */
export function toOrders(listing: OrderListing): readonly Order[] {
  return "code" in listing ? [listing] : listing;
}

/** Section Resources, Order status code. What the codes mean is not shown. */
interface OrderStatusCode {
  readonly code: number;
  readonly description?: string | null | undefined;
}

/**
 * Filters of the order listing. The specification lists the first four as required, although `days`
 * replaces the dates (section Orders). The contract requires a period, as `days` or as both dates,
 * and leaves `status` optional. Both periods together are let through, since a strict marketplace
 * may require them; in the sandbox `days` wins.
 */
export interface OrderQuery {
  /** Orders after, in seconds since 1970; needs `end_date`. */
  readonly start_date?: number | undefined;
  /** Orders before, in seconds since 1970; needs `start_date`. */
  readonly end_date?: number | undefined;
  /** How many days back from now. */
  readonly days?: number | undefined;
  /** From 1 to 16; the specification's example also asks for 0, the orders not yet approved. */
  readonly status?: number | undefined;
  /** 1 asks for orders whose status changed within `days`, which it needs. @default 0 */
  readonly updates_only?: 0 | 1 | undefined;
}

/** Body of the postpone call. */
interface OrderPostpone {
  readonly package_id: Id<"package">;
  /** Why the order is held. */
  readonly reason: string;
}

/** Body of the call that accepts a return. */
interface ReturnAcceptance {
  readonly package_id: Id<"package">;
  readonly message: string;
}

/** Body of the call that rejects a return. */
interface ReturnRejection {
  readonly package_id: Id<"package">;
  readonly reason: string;
}

/** Section Orders, postpone and accept: the answer. `status` is text whose values are not shown. */
interface OrderMoveResult {
  readonly status?: string | boolean | null | undefined;
  readonly order_discount_code?: string | null | undefined;
}

/** Section Orders, accept-return: the answer. */
interface ReturnAcceptanceResult {
  readonly status?: string | boolean | null | undefined;
}

/** The order calls. */
export interface OrderEndpoints {
  /** Section Orders: GET /v1.1/order/status-codes. */
  readonly statusCodes: Endpoint<NoInput, readonly OrderStatusCode[]>;
  /** Section Orders: GET /v1.1/order/store/:storeId. Not paged: the period bounds it. */
  readonly list: Endpoint<OrderQuery, OrderListing>;
  /** Section Orders: POST /v1.1/order/postpone/store/:storeId. */
  readonly postpone: Endpoint<OrderPostpone, OrderMoveResult>;
  /** Section Orders: POST /v1.1/order/accept/store/:storeId. */
  readonly accept: Endpoint<{ readonly package_id: Id<"package"> }, OrderMoveResult>;
  /** Section Orders: POST /v1.1/order/accept-return/store/:storeId. */
  readonly acceptReturn: Endpoint<ReturnAcceptance, ReturnAcceptanceResult>;
  /** Section Orders: POST /v1.1/order/reject-return/store/:storeId. The answer is not shown. */
  readonly rejectReturn: Endpoint<ReturnRejection, unknown>;
}

/** A period is given as `days` or as both dates, and `updates_only` counts in days. */
function checkPeriod({ value, issues }: z.core.ParsePayload<OrderQuery>): void {
  const refuse = (path: keyof OrderQuery, message: string): void => {
    issues.push({ code: "custom", input: value, path: [path], message });
  };
  const { start_date, end_date, days, updates_only } = value;
  if (start_date === undefined && end_date !== undefined) {
    refuse("start_date", "required with end_date");
  }
  if (end_date === undefined && start_date !== undefined) {
    refuse("end_date", "required with start_date");
  }
  if (days !== undefined) return;
  if (updates_only === 1) refuse("days", "required with updates_only");
  else if (start_date === undefined && end_date === undefined) {
    refuse("days", "required without start_date and end_date");
  }
}

const common = {
  versions: ["v1.1", "v1.0"],
  paging: undefined,
  section: "Orders",
} as const;

const text = z.string().min(1);
const status = z.union([z.string(), z.boolean()]).nullish();

export const orderEndpoints: OrderEndpoints = {
  statusCodes: {
    ...common,
    method: "GET",
    path: "/order/status-codes",
    permission: "general",
    effect: "read",
    summary: "List the status codes of orders with their descriptions.",
    input: z.object({}),
    data: z.array(z.looseObject({ code: z.number(), description: z.string().nullish() })),
  },
  list: {
    ...common,
    method: "GET",
    path: "/order/store/:storeId",
    permission: "store",
    effect: "read",
    summary: "List the store's orders of a period.",
    input: z
      .object({
        start_date: timestamp,
        end_date: timestamp,
        days: z
          .int()
          .min(1)
          .optional()
          .meta({ description: "Days back; replaces the dates, and is needed without them" }),
        status: z.int().min(ORDER_STATUS.min).max(ORDER_STATUS.max).optional(),
        updates_only: withDefault(z.literal([0, 1]), 0),
      })
      .check(checkPeriod),
    data: orderListing,
  },
  postpone: {
    ...common,
    method: "POST",
    path: "/order/postpone/store/:storeId",
    permission: "store",
    effect: "set",
    summary: "Hold a package back for a reason.",
    input: z.object({ package_id: idSchemas.package, reason: text }),
    data: z.looseObject({ status, order_discount_code: z.string().nullish() }),
  },
  accept: {
    ...common,
    method: "POST",
    path: "/order/accept/store/:storeId",
    permission: "store",
    effect: "set",
    summary: "Accept a package.",
    input: z.object({ package_id: idSchemas.package }),
    data: z.looseObject({ status, order_discount_code: z.string().nullish() }),
  },
  acceptReturn: {
    ...common,
    method: "POST",
    path: "/order/accept-return/store/:storeId",
    permission: "store",
    effect: "set",
    summary: "Accept that a package comes back.",
    input: z.object({ package_id: idSchemas.package, message: text }),
    data: z.looseObject({ status }),
  },
  rejectReturn: {
    ...common,
    method: "POST",
    path: "/order/reject-return/store/:storeId",
    permission: "store",
    effect: "set",
    summary: "Refuse that a package comes back, for a reason.",
    input: z.object({ package_id: idSchemas.package, reason: text }),
    data: z.unknown(),
  },
};
