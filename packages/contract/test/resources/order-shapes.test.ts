import { describe, expect, it } from "vitest";

import { endpoints, toOrders } from "../../src/index.ts";

const { data } = endpoints.order.list;
const order = { code: "1001", packages: [{ package_id: "p-1", status: 3 }], later: true };

describe("the order listing's answer", () => {
  it("reads the answer of the order listing as one order or as a list of orders", () => {
    expect(toOrders(data.parse(order))).toEqual([order]);
    expect(toOrders(data.parse([order, order]))).toEqual([order, order]);
    expect(toOrders(data.parse([]))).toEqual([]);
  });

  it.each([[{ total: 1, result: [order] }], [{}], [null], [[{ packages: [] }]]])(
    "refuses %o as an order, because it would pass for an order without content",
    (answer) => {
      expect(data.safeParse(answer).success).toBe(false);
    },
  );
});
