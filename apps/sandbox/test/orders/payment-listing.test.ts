import { describe, expect, it } from "vitest";

import { paymentStatusOf } from "../../src/orders/order-listing.ts";

describe("paymentStatusOf", () => {
  it.each([
    [1, undefined],
    [2, undefined],
    [3, 1],
    [8, 1],
    [9, 2],
    [10, 1],
    [11, 3],
    [12, 3],
    [13, 1],
    [14, 3],
    [15, 1],
    [16, 3],
  ])("gives a package with status %i the payment status %s", (status, expected) => {
    expect(paymentStatusOf(status)).toBe(expected);
  });
});
