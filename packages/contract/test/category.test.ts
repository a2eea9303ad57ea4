import { describe, expect, it } from "vitest";

import { categoryEndpoints } from "../src/category.ts";

const { byExternalId, list, properties } = categoryEndpoints;

const COLOUR = {
  id: "pr-1",
  name: "Renk",
  property_options: [{ id: "o-1", display_name: "Mavi", tag: null }],
};

const takes = (category: object): boolean =>
  list.data.safeParse({ total: 1, result: [category] }).success;

describe("a category", () => {
  it("may leave out everything but its id and its name", () => {
    expect(takes({ id: "c-1", name: "Fincan" })).toBe(true);
  });

  it("needs an id and a name, and keeps the rest as it is", () => {
    const category = { id: "c-1", name: "Fincan", parent: { id: "c-0" }, level: 3, vat: null };

    expect(list.data.parse({ total: 1, result: [category] }).result).toEqual([category]);
    expect(takes({ id: "c-1" })).toBe(false);
    expect(takes({ name: "Fincan" })).toBe(false);
  });

  it.each([
    ["vat", "20"],
    ["is_adult", 0],
    ["category_path", ["Ev", "Mutfak"]],
    ["category_tree", "Ev > Mutfak"],
    ["external_id", 17],
  ])("is refused when %s is %j", (field, value) => {
    expect(takes({ id: "c-1", name: "Fincan", [field]: value })).toBe(false);
  });
});

describe("a category by its external id", () => {
  it("is asked for with a whole number", () => {
    expect(byExternalId.input.safeParse({ externalCategoryId: 17 }).success).toBe(true);
    expect(byExternalId.input.safeParse({ externalCategoryId: "17" }).success).toBe(false);
    expect(byExternalId.input.safeParse({ externalCategoryId: 1.7 }).success).toBe(false);
  });

  it("comes with its properties", () => {
    const category = { id: "c-1", name: "Fincan", properties: [COLOUR] };

    expect(byExternalId.data.parse(category)).toEqual(category);
    expect(byExternalId.data.safeParse({ id: "c-1", name: "Fincan" }).success).toBe(false);
  });
});

describe("the properties of a category", () => {
  it("are a list, each with its options", () => {
    expect(properties.data.parse([{ ...COLOUR, order: 1 }])).toEqual([{ ...COLOUR, order: 1 }]);
    expect(properties.data.parse([])).toEqual([]);
  });

  it.each([
    [{ total: 0, result: [] }],
    [[{ id: "pr-1", name: "Renk" }]],
    [[{ ...COLOUR, property_options: [{ id: "o-1" }] }]],
    [[{ ...COLOUR, id: "" }]],
  ])("are refused when they are %j", (answer) => {
    expect(properties.data.safeParse(answer).success).toBe(false);
  });
});
