import { describe, expect, it } from "vitest";

import { listFields, nameType } from "../../src/openapi/docs-page.ts";

const item = { type: "object", properties: { id: { type: "string" } }, required: ["id"] };

describe("listFields", () => {
  it("lists fields of objects, lists and alternatives", () => {
    const schema = {
      type: "object",
      properties: {
        list: { type: "array", items: item },
        either: { anyOf: [{ type: "null" }, item] },
        plain: { type: "number" },
      },
      required: ["list"],
    };

    expect(listFields(schema).map(({ path, required }) => [path, required])).toEqual([
      ["list", true],
      ["list[].id", true],
      ["either", false],
      ["either.id", true],
      ["plain", false],
    ]);
  });

  it("finds no fields in a schema without any", () => {
    expect(listFields({})).toEqual([]);
    expect(listFields({ type: "string" })).toEqual([]);
  });
});

describe("nameType", () => {
  it.each([
    [{ type: "string", title: "ProductId" }, "string (ProductId)"],
    [{ type: ["string", "null"] }, "string or null"],
    [{ type: "array", items: { type: "integer" } }, "array of integer"],
    [{ type: "array", items: {} }, "array of anything"],
    [{ anyOf: [{ type: "string" }, { type: "number" }, { type: "string" }] }, "string or number"],
    [{ enum: [false, "error"] }, "value"],
    [{}, "anything"],
  ])("names the type of %o %s", (schema, expected) => {
    expect(nameType(schema)).toBe(expected);
  });
});
