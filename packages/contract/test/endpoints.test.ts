import { describe, expect, it } from "vitest";
import * as z from "zod";

import { type Endpoint, pathParameters } from "../src/endpoint.ts";
import { endpoints } from "../src/endpoints.ts";

interface Facts {
  readonly call: string;
  readonly versions: string;
  readonly permission: string;
  readonly effect: string;
  /** Default and largest `limit`. */
  readonly paging: string;
  readonly section: string;
  /** Required parameters other than the store's id, then the optional ones. */
  readonly needs: string;
  readonly takes: string;
}

const LISTING = { effect: "read", paging: "20/50" } as const;
const UNPAGED = { effect: "read", paging: "none", takes: "" } as const;
const BOTH = "v1.1 v1.0";

/** Written by hand from the specification, not from the table. */
const SPECIFIED: Readonly<Record<string, Facts>> = {
  "token.create": {
    call: "POST /app/auth/access",
    versions: "",
    permission: "none",
    effect: "set",
    paging: "none",
    section: "Token",
    needs: "client_key client_secret",
    takes: "",
  },
  "category.list": {
    ...LISTING,
    call: "GET /category/",
    versions: BOTH,
    permission: "general",
    section: "Categories",
    needs: "",
    takes: "ids limit page search",
  },
  "category.byExternalId": {
    ...UNPAGED,
    call: "GET /category/get-by-external-id/:externalCategoryId",
    versions: BOTH,
    permission: "general",
    section: "Categories",
    needs: "externalCategoryId",
  },
  "category.properties": {
    ...UNPAGED,
    call: "GET /category/get-properties/:categoryId",
    versions: BOTH,
    permission: "general",
    section: "Categories",
    needs: "categoryId",
  },
  "brand.list": {
    ...LISTING,
    call: "GET /brand/",
    versions: BOTH,
    permission: "general",
    section: "Brands",
    needs: "category_id",
    takes: "ids limit name page",
  },
  "brand.models": {
    ...LISTING,
    call: "GET /brand/brand-model",
    versions: BOTH,
    permission: "general",
    section: "Brands",
    needs: "brand_id category_id",
    takes: "limit page",
  },
  "shippingTemplate.list": {
    ...LISTING,
    call: "GET /shipping-template/store/:storeId",
    versions: "v1.0",
    permission: "store",
    section: "Shipping templates",
    needs: "",
    takes: "ids limit page search",
  },
  "product.list": {
    ...LISTING,
    call: "GET /product/store/:storeId",
    versions: BOTH,
    permission: "store",
    section: "Products",
    needs: "",
    takes: "end_date ids limit page product_code sort_by_date start_date status title",
  },
  "product.add": {
    call: "POST /product/add/store/:storeId",
    versions: BOTH,
    permission: "store",
    effect: "create",
    paging: "none",
    section: "Products",
    needs:
      "brand_id brand_model category_id description has_discount images price product_code " +
      "shipping_template_id stock_count sub_title title warranty_period warranty_type",
    takes: "currency custom_order_input discount_type discount_value product_condition properties",
  },
  "product.update": {
    call: "POST /product/update/store/:storeId",
    versions: BOTH,
    permission: "store",
    effect: "set",
    paging: "none",
    section: "Products",
    needs: "product_id",
    takes:
      "brand_id brand_model category_id currency custom_order_input description discount_type " +
      "discount_value has_discount images price product_code product_condition properties " +
      "shipping_template_id stock_count sub_title title warranty_period warranty_type",
  },
};

const ROWS: readonly (readonly [string, Endpoint<unknown, unknown>])[] = Object.entries(
  endpoints,
).flatMap(([resource, rows]: [string, object]) =>
  Object.entries(rows).map(
    ([name, endpoint]: [string, Endpoint<unknown, unknown>]) =>
      [`${resource}.${name}`, endpoint] as const,
  ),
);

function factsOf({ input, paging, ...row }: Endpoint<unknown, unknown>): Facts {
  const fields = Object.entries(input.shape);
  const named = (isRequired: boolean): string =>
    fields
      .filter(([, schema]) => !z.safeParse(schema, undefined).success === isRequired)
      .map(([name]) => name)
      .toSorted()
      .join(" ");
  return {
    call: `${row.method} ${row.path}`,
    versions: row.versions.join(" "),
    permission: row.permission,
    effect: row.effect,
    paging: paging === undefined ? "none" : `${paging.defaultSize}/${paging.maxSize}`,
    section: row.section,
    needs: named(true),
    takes: named(false),
  };
}

describe("the endpoint table", () => {
  it("has the calls that are specified here, and no others", () => {
    expect(ROWS.map(([name]) => name)).toEqual(Object.keys(SPECIFIED));
  });

  it.each(ROWS)("describes %s as the specification does", (name, endpoint) => {
    expect(factsOf(endpoint)).toEqual(SPECIFIED[name]);
  });

  it.each(ROWS)("takes every path parameter of %s but the store's id", (_name, endpoint) => {
    const parameters = pathParameters(endpoint).filter((parameter) => parameter !== "storeId");

    expect(Object.keys(endpoint.input.shape)).toEqual(expect.arrayContaining(parameters));
  });

  it.each(ROWS)("names the store in the path of %s if the store grants it", (_name, endpoint) => {
    expect(pathParameters(endpoint).includes("storeId")).toBe(endpoint.permission === "store");
  });

  it("says in one sentence what each call does", () => {
    const summaries = ROWS.map(([, { summary }]) => summary);

    expect(summaries.filter((summary) => !/^[A-Z].+\.$/u.test(summary))).toEqual([]);
  });
});

describe("the paging of listings", () => {
  const paged = ROWS.filter(([, { paging }]) => paging !== undefined);
  const ids = { category_id: "c-1", brand_id: "b-1" };

  it.each(paged)("of %s has its limits", (_name, { input }) => {
    const takes = (query: object): boolean => input.safeParse({ ...ids, ...query }).success;

    expect([1, 20, 50].map((limit) => takes({ limit }))).toEqual([true, true, true]);
    expect([0, 51, 1.5, "20"].map((limit) => takes({ limit }))).toEqual(Array(4).fill(false));
    expect([1, 999].map((page) => takes({ page }))).toEqual([true, true]);
    expect([0, -1, 1.5].map((page) => takes({ page }))).toEqual([false, false, false]);
  });
});
