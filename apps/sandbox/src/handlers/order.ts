import type { OrderMoveResult } from "@catalog/contract";

import { discountCode, selectOrders, toOrder } from "../orders/order-listing.ts";
import { STATUSES } from "../orders/statuses.ts";
import type { Handlers, HandlersOptions } from "./handler.ts";

/** The listing answers an array of orders; a moved package is answered with "success". */
export function createOrderHandlers(options: HandlersOptions): Handlers["order"] {
  const { market, catalog, clock } = options;

  return {
    statusCodes: {
      answer: () => [...STATUSES].map(([code, { tr }]) => ({ code, description: tr })),
    },
    list: {
      answer(query) {
        const nowMs = clock.now();
        const orders = selectOrders(market.orders.orders(), query, nowMs);
        return orders.map((order) => toOrder(catalog, order, nowMs));
      },
    },
    postpone: {
      answer: ({ package_id }) => accepted(market.orders.move(package_id, "postpone").id),
    },
    accept: {
      answer: ({ package_id }) => accepted(market.orders.move(package_id, "accept").id),
    },
    acceptReturn: {
      answer({ package_id }) {
        market.orders.move(package_id, "acceptReturn");
        return { status: "success" };
      },
    },
    rejectReturn: {
      answer({ package_id }) {
        market.orders.move(package_id, "rejectReturn");
        return { status: "success" };
      },
    },
  };
}

function accepted(id: string): OrderMoveResult {
  const code = discountCode(id);
  return { status: "success", ...(code !== undefined && { order_discount_code: code }) };
}
