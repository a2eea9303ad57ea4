import { describe, expect, it } from "vitest";

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
