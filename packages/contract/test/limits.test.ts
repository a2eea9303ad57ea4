import { describe, expect, it } from "vitest";

import {
  CURRENCIES,
  DEFAULT_PAGE_SIZE,
  DISCOUNT_RATE,
  DISCOUNT_TYPES,
  LISTING_STATUSES,
  MAX_PAGE_SIZE,
  PRODUCT_CONDITIONS,
  SORT_ORDERS,
  TOKEN_VALIDITY_MS,
  WARRANTY_PERIODS,
  WARRANTY_TYPES,
} from "../src/endpoint.ts";

describe("the limits", () => {
  it("states the limits of the specification", () => {
    expect({ DEFAULT_PAGE_SIZE, MAX_PAGE_SIZE, DISCOUNT_RATE, TOKEN_VALIDITY_MS }).toEqual({
      DEFAULT_PAGE_SIZE: 20,
      MAX_PAGE_SIZE: 50,
      DISCOUNT_RATE: { min: 1, max: 99 },
      TOKEN_VALIDITY_MS: 21_600_000,
    });
  });

  it("closes the lists that the specification closes, the default status first", () => {
    expect([CURRENCIES, PRODUCT_CONDITIONS, LISTING_STATUSES, SORT_ORDERS]).toEqual([
      ["TL", "USD", "EUR"],
      ["new", "used"],
      ["approved", "passive", "veto"],
      ["ascending", "descending"],
    ]);
    expect([WARRANTY_TYPES, WARRANTY_PERIODS, DISCOUNT_TYPES]).toEqual([
      [1, 2, 3, 4],
      [0, 12, 24, 36],
      [1, 2, 3],
    ]);
  });
});
