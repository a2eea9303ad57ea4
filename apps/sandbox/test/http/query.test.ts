import { endpoints } from "@catalog/contract";
import { describe, expect, it } from "vitest";

import { parseQuery } from "../../src/http/server.ts";

const { input } = endpoints.product.list;

describe("parseQuery", () => {
  it.each([
    [{ limit: "5" }, { limit: 5 }],
    [{ start_date: "-3" }, { start_date: -3 }],
    [{ limit: "1.5" }, { limit: 1.5 }],
    [{ limit: "" }, { limit: "" }],
    [{ limit: "ten" }, { limit: "ten" }],
    [{ limit: "0x10" }, { limit: "0x10" }],
    [{ limit: ["1", "2"] }, { limit: ["1", "2"] }],
    [{ ids: "a,b" }, { ids: ["a", "b"] }],
    [{ ids: "a,,b," }, { ids: ["a", "b"] }],
    [{ ids: ["a,b", "c"] }, { ids: ["a", "b", "c"] }],
    [{ product_code: "007" }, { product_code: "007" }],
    [{ product_code: "a,b" }, { product_code: "a,b" }],
    [{ access_token: "t", nonsense: "1" }, {}],
  ])("turns %o into %o", (raw, expected) => {
    expect(parseQuery(input, raw)).toEqual(expected);
  });

  it("reads numbers in a path", () => {
    const { input: wanted } = endpoints.category.byExternalId;

    expect(parseQuery(wanted, { externalCategoryId: "42" })).toEqual({ externalCategoryId: 42 });
  });

  it.each([
    [{ status: "2" }, { status: 2 }],
    [{ status: "x" }, { status: "x" }],
    [{ store_payout: "1.5" }, { store_payout: 1.5 }],
    [{ customer_name: "1" }, { customer_name: "1" }],
  ])("reads numbers from a list of values: %o", (raw, expected) => {
    expect(parseQuery(endpoints.payment.list.input, raw)).toEqual(expected);
  });
});
