import { describe, expect, it } from "vitest";

import { categoryEndpoints } from "../../src/resources/category.ts";
import { tokenEndpoints } from "../../src/resources/token.ts";

const { byExternalId, list, properties } = categoryEndpoints;

const COLOUR = {
  id: "pr-1",
  name: "Renk",
  property_options: [{ id: "o-1", display_name: "Mavi", tag: null }],
};

const takes = (category: object): boolean =>
  list.data.safeParse({ total: 1, result: [category] }).success;

describe("a category", () => {
  it("accepts a category that has only an id and a name", () => {
    expect(takes({ id: "c-1", name: "Fincan" })).toBe(true);
  });

  it("refuses a category without an id or a name, and keeps its other fields as they are", () => {
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
  ])("refuses a category whose %s is %j", (field, value) => {
    expect(takes({ id: "c-1", name: "Fincan", [field]: value })).toBe(false);
  });
});

describe("a category by its external id", () => {
  it("takes the external id of a category only as a whole number", () => {
    expect(byExternalId.input.safeParse({ externalCategoryId: 17 }).success).toBe(true);
    expect(byExternalId.input.safeParse({ externalCategoryId: "17" }).success).toBe(false);
    expect(byExternalId.input.safeParse({ externalCategoryId: 1.7 }).success).toBe(false);
  });

  it("reads the properties of a category that is asked for by its external id", () => {
    const category = { id: "c-1", name: "Fincan", properties: [COLOUR] };

    expect(byExternalId.data.parse(category)).toEqual(category);
    expect(byExternalId.data.safeParse({ id: "c-1", name: "Fincan" }).success).toBe(false);
  });
});

describe("the properties of a category", () => {
  it("reads the properties of a category as a list, each with its options", () => {
    expect(properties.data.parse([{ ...COLOUR, order: 1 }])).toEqual([{ ...COLOUR, order: 1 }]);
    expect(properties.data.parse([])).toEqual([]);
  });

  it.each([
    [{ total: 0, result: [] }],
    [[{ id: "pr-1", name: "Renk" }]],
    [[{ ...COLOUR, property_options: [{ id: "o-1" }] }]],
    [[{ ...COLOUR, id: "" }]],
  ])("refuses properties of a category that are %j", (answer) => {
    expect(properties.data.safeParse(answer).success).toBe(false);
  });
});

const { input, data } = tokenEndpoints.create;

it("the token request refuses a token request with an empty key or secret", () => {
  expect(input.safeParse({ client_key: "k", client_secret: "s" }).success).toBe(true);
  expect(input.safeParse({ client_key: "", client_secret: "s" }).success).toBe(false);
  expect(input.safeParse({ client_key: "k", client_secret: "" }).success).toBe(false);
});

describe("the token answer", () => {
  it.each([
    [{}],
    [{ status: "ok", access_token: "t", expires_at: "2026-01-01T00:00:00Z", scope: "all" }],
    [{ status: true, access_token: "t", expires_at: 1_767_225_600 }],
    [{ status: false, access_token: null, expires_at: null, message: "no", message_tr: "yok" }],
  ])("accepts the token answer %j", (answer) => {
    expect(data.parse(answer)).toEqual(answer);
  });

  it.each([
    [{ access_token: "" }],
    [{ access_token: 5 }],
    [{ status: 1 }],
    [{ expires_at: true }],
    [{ message: ["no"] }],
    [null],
  ])("refuses the token answer %j", (answer) => {
    expect(data.safeParse(answer).success).toBe(false);
  });
});
