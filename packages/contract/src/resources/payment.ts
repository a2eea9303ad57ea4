import * as z from "zod";

import {
  DEFAULT_PAGE_SIZE,
  limit,
  MAX_PAGE_SIZE,
  type Moment,
  moment,
  page,
  type PagedEndpoint,
  pageOf,
  type PageQuery,
  PAYMENT_STATUSES,
  type PaymentStatus,
  timestamp,
} from "../endpoint.ts";
import { idSchemas, type Id } from "../ids.ts";

/** Section Resources, Payment record. Amounts are text; their unit is not stated. */
export interface Payment {
  readonly id: Id<"payment">;
  readonly customer_name?: string | null | undefined;
  readonly item_id?: Id<"orderItem"> | null | undefined;
  readonly order_code?: number | null | undefined;
  readonly shipping_price?: string | null | undefined;
  readonly total_commission?: string | null | undefined;
  readonly store_payout?: string | null | undefined;
  readonly total_paid_price?: string | null | undefined;
  readonly status?: string | null | undefined;
  readonly payment_date?: Moment | null | undefined;
  readonly created_at?: Moment | null | undefined;
}

/** Filters of the payment listing. Times are in seconds since 1970. */
interface PaymentQuery extends PageQuery {
  readonly date_created?: number | undefined;
  /** Records after. */
  readonly start_date?: number | undefined;
  /** Records before. */
  readonly end_date?: number | undefined;
  readonly status?: PaymentStatus | undefined;
  readonly order_code?: number | undefined;
  readonly ids?: readonly Id<"payment">[] | undefined;
  readonly customer_name?: string | undefined;
  readonly store_payout?: number | undefined;
  readonly min_store_payout?: number | undefined;
  readonly max_store_payout?: number | undefined;
  readonly shipping_price?: number | undefined;
  readonly min_shipping_price?: number | undefined;
  readonly max_shipping_price?: number | undefined;
  readonly total_paid_price?: number | undefined;
  readonly min_total_paid_price?: number | undefined;
  readonly max_total_paid_price?: number | undefined;
}

/** The payment call. */
export interface PaymentEndpoints {
  /** Section Payments: GET /v1.0/payment/store/:storeId. */
  readonly list: PagedEndpoint<PaymentQuery, Payment>;
}

const amount = z.number().optional();

export const paymentEndpoints: PaymentEndpoints = {
  list: {
    method: "GET",
    path: "/payment/store/:storeId",
    versions: ["v1.0"],
    permission: "store",
    effect: "read",
    paging: { defaultSize: DEFAULT_PAGE_SIZE, maxSize: MAX_PAGE_SIZE },
    section: "Payments",
    summary: "List the store's payment records.",
    input: z.object({
      limit,
      page,
      date_created: timestamp,
      start_date: timestamp,
      end_date: timestamp,
      status: z
        .literal(PAYMENT_STATUSES)
        .optional()
        .meta({ description: "1 awaiting transfer, 2 transferred, 3 cancelled" }),
      order_code: z.int().optional(),
      ids: z.array(idSchemas.payment).optional(),
      customer_name: z.string().optional(),
      store_payout: amount,
      min_store_payout: amount,
      max_store_payout: amount,
      shipping_price: amount,
      min_shipping_price: amount,
      max_shipping_price: amount,
      total_paid_price: amount,
      min_total_paid_price: amount,
      max_total_paid_price: amount,
    }),
    data: pageOf(
      z.looseObject({
        id: idSchemas.payment,
        customer_name: z.string().nullish(),
        item_id: idSchemas.orderItem.nullish(),
        order_code: z.number().nullish(),
        shipping_price: z.string().nullish(),
        total_commission: z.string().nullish(),
        store_payout: z.string().nullish(),
        total_paid_price: z.string().nullish(),
        status: z.string().nullish(),
        payment_date: moment.nullish(),
        created_at: moment.nullish(),
      }),
    ),
  },
};
