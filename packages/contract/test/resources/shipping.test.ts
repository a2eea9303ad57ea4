import { describe, expect, it } from "vitest";

import { endpoints } from "../../src/index.ts";
import { shippingTemplateEndpoints } from "../../src/resources/shipping.ts";

const { list } = shippingTemplateEndpoints;

const takes = (template: object): boolean =>
  list.data.safeParse({ total: 1, result: [template] }).success;

describe("a shipping template", () => {
  it("accepts a shipping template that has only an id and a name", () => {
    expect(takes({ id: "s-1", template_name: "Standart" })).toBe(true);
  });

  it("refuses a shipping template without an id or a name, and keeps its other fields as they are", () => {
    const template = {
      id: "s-1",
      template_name: "Standart",
      use_contractred_company: true,
      sender_address: { city: "Ankara" },
      created_at: 1_700_000_000,
      shipping_companies: null,
      colour: "mavi",
    };

    expect(list.data.parse({ total: 1, result: [template] }).result).toEqual([template]);
    expect(takes({ id: "s-1" })).toBe(false);
    expect(takes({ template_name: "Standart" })).toBe(false);
  });

  it.each([
    ["shipping_time", "3"],
    ["shipping_time", 1.5],
    ["free_shipping", "evet"],
    ["suitable_cities", "Ankara"],
  ])("refuses a shipping template whose %s is %j", (field, value) => {
    expect(takes({ id: "s-1", template_name: "Standart", [field]: value })).toBe(false);
  });
});

const { create, update } = endpoints.shippingTemplate;

const TEMPLATE = {
  template_name: "Standart",
  sender_address: "a-1",
  shipping_time: 3,
  all_country: true,
  shipping_companies: ["c-1"],
  return_companies: "c-1",
};

function refusals(schema: typeof create.input | typeof update.input, body: unknown): string[] {
  const parsed = schema.safeParse(body);
  return parsed.success ? [] : parsed.error.issues.map(({ path }) => path.join("."));
}

describe("the create call's input", () => {
  it.each([
    {},
    { common_address: true },
    { common_address: false, return_address: "a-2" },
    { all_country: false, suitable_cities: ["34", 6] },
    { all_country: false, suitable_cities: "34" },
    { conditional_shipping: true, min_price: 500 },
    { conditional_shipping: true },
  ])("creates a shipping template from %o", (changes) => {
    expect(refusals(create.input, { ...TEMPLATE, ...changes })).toEqual([]);
  });

  it.each([
    [{ common_address: false }, ["return_address"]],
    [{ all_country: false }, ["suitable_cities"]],
    [{ all_country: undefined }, ["all_country"]],
    [{ min_price: 500 }, ["min_price"]],
    [{ conditional_shipping: false, min_price: 500 }, ["min_price"]],
    [{ shipping_companies: [] }, ["shipping_companies"]],
    [{ common_address: false, all_country: false }, ["return_address", "suitable_cities"]],
  ])("refuses to create a shipping template from %o because of %o", (changes, fields) => {
    expect(refusals(create.input, { ...TEMPLATE, ...changes })).toEqual(fields);
  });

  it("fills no default into a shipping template that the caller did not give", () => {
    expect(create.input.parse(TEMPLATE)).toEqual(TEMPLATE);
  });
});

describe("the update call's input", () => {
  it.each([
    {},
    { template_name: "Yeni" },
    // The template may have conditional shipping already.
    { min_price: 500 },
    { common_address: false, return_address: "a-2" },
  ])("updates a shipping template with %o", (changes) => {
    expect(refusals(update.input, { shipping_template_id: "t-1", ...changes })).toEqual([]);
  });

  it.each([
    [{ common_address: false }, ["return_address"]],
    [{ all_country: false }, ["suitable_cities"]],
    [{ conditional_shipping: false, min_price: 500 }, ["min_price"]],
    [{ shipping_template_id: undefined }, ["shipping_template_id"]],
  ])("refuses to update a shipping template with %o because of %o", (changes, fields) => {
    expect(refusals(update.input, { shipping_template_id: "t-1", ...changes })).toEqual(fields);
  });
});
