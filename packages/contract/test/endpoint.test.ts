import { describe, expect, it } from "vitest";
import * as z from "zod";

import {
  CURRENCIES,
  DEFAULT_PAGE_SIZE,
  DISCOUNT_RATE,
  DISCOUNT_TYPES,
  LISTING_STATUSES,
  MAX_PAGE_SIZE,
  pageOf,
  pathParameters,
  PRODUCT_CONDITIONS,
  SORT_ORDERS,
  TOKEN_VALIDITY_MS,
  WARRANTY_PERIODS,
  WARRANTY_TYPES,
} from "../src/endpoint.ts";

describe("pageOf", () => {
  const page = pageOf(z.object({ id: z.string() }));

  it("reads a page and keeps unknown fields beside total and result", () => {
    const answer = { total: 1, result: [{ id: "a" }], took_ms: 3 };

    expect(page.parse(answer)).toEqual(answer);
  });

  it("reads an empty page", () => {
    expect(page.parse({ total: 0, result: [] })).toEqual({ total: 0, result: [] });
  });

  it.each([
    ["no total", { result: [] }],
    ["a total in text", { total: "1", result: [] }],
    ["a negative total", { total: -1, result: [] }],
    ["a broken total", { total: 1.5, result: [] }],
    ["no result", { total: 0 }],
    ["a result that is no list", { total: 1, result: { id: "a" } }],
    ["an element that does not fit", { total: 1, result: [{ id: 1 }] }],
    ["no object", null],
  ])("refuses a page that is %s", (_name, answer) => {
    expect(page.safeParse(answer).success).toBe(false);
  });
});

it.each([
  ["/category/", []],
  ["/product/store/:storeId", ["storeId"]],
  ["/a/:first/b/:second", ["first", "second"]],
])("pathParameters names the parameters of %s in order", (path, expected) => {
  expect(pathParameters({ path })).toEqual(expected);
});

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
