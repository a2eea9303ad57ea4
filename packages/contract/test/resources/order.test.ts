import { describe, expect, it } from "vitest";

import { endpoints, toOrders } from "../../src/index.ts";

const { input } = endpoints.order.list;

/** Names of the fields that the schema refuses. */
function refusals(query: unknown): readonly string[] {
  const parsed = input.safeParse(query);
  return parsed.success ? [] : parsed.error.issues.map(({ path }) => path.join("."));
}

describe("the order listing's input", () => {
  it.each([
    { days: 30 },
    { start_date: 1, end_date: 2 },
    { days: 7, updates_only: 1 },
    { start_date: 1, end_date: 2, updates_only: 0 },
    { start_date: 1, end_date: 2, days: 3, status: 16 },
    { days: 1, status: 0 },
  ])("takes the period and status %o", (query) => {
    expect(refusals(query)).toEqual([]);
  });

  it.each([
    [{}, ["days"]],
    [{ status: 3 }, ["days"]],
    [{ start_date: 1 }, ["end_date"]],
    [{ end_date: 1 }, ["start_date"]],
    [{ days: 3, end_date: 1 }, ["start_date"]],
    [{ start_date: 1, end_date: 2, updates_only: 1 }, ["days"]],
    [{ days: 1, status: 17 }, ["status"]],
    [{ days: 0 }, ["days"]],
    [{ days: 1, updates_only: 2 }, ["updates_only"]],
  ])("refuses the order query %o because of %o", (query, fields) => {
    expect(refusals(query)).toEqual(fields);
  });
});

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
