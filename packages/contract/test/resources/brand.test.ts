import { describe, expect, it } from "vitest";

import { brandEndpoints } from "../../src/resources/category.ts";

const { list, models } = brandEndpoints;

describe("a brand", () => {
  it("refuses a brand without an id or a name, and keeps its other fields", () => {
    const page = { total: 1, result: [{ id: "b-1", name: "Çınar", logo: null }] };

    expect(list.data.parse(page)).toEqual(page);
    expect(list.data.safeParse({ total: 1, result: [{ id: "b-1" }] }).success).toBe(false);
    expect(list.data.safeParse({ total: 1, result: [{ name: "Çınar" }] }).success).toBe(false);
  });

  it("asks for brands by category, and by ids as a list", () => {
    expect(list.input.safeParse({ category_id: "" }).success).toBe(false);
    expect(list.input.safeParse({ category_id: "c-1", ids: ["b-1"] }).success).toBe(true);
    expect(list.input.safeParse({ category_id: "c-1", ids: "b-1" }).success).toBe(false);
  });
});

it("a brand model accepts a brand model without the names of its brand and category", () => {
  const page = {
    total: 2,
    result: [
      { id: "m-1", name: "A" },
      { id: "m-2", name: "B", brand_name: null, category_name: "Fincan" },
    ],
  };

  expect(models.data.parse(page)).toEqual(page);
  const misfit = { id: "m-1", name: "A", brand_name: 5 };
  expect(models.data.safeParse({ total: 1, result: [misfit] }).success).toBe(false);
});
