import { endpoints, priceMinor, idSchemas } from "@catalog/contract";
import { describe, expect, it } from "vitest";
import * as z from "zod";

import { toFields, toJsonSchema } from "../../src/openapi/openapi.ts";

describe("toJsonSchema", () => {
  it.each([
    [z.int(), { type: "integer" }],
    [z.int().min(1).max(50), { type: "integer", minimum: 1, maximum: 50 }],
    [z.union([z.literal(1), z.literal(2)]), { type: "integer", enum: [1, 2] }],
    [z.literal([0, 1]), { type: "integer", enum: [0, 1] }],
    [z.literal(1), { type: "integer", enum: [1] }],
    [z.enum(["a", "b"]), { type: "string", enum: ["a", "b"] }],
    [
      z.union([z.number(), z.literal(false)]),
      expect.objectContaining({ anyOf: expect.any(Array) }),
    ],
    [z.looseObject({}), { type: "object", properties: {} }],
    [z.unknown(), {}],
    [priceMinor, { type: "integer", exclusiveMinimum: 0 }],
    [idSchemas.product, { type: "string", minLength: 1, title: "ProductId", format: "object-id" }],
  ])("describes a schema briefly", (schema, expected) => {
    expect(toJsonSchema(schema)).toEqual(expected);
  });
});

describe("toFields", () => {
  it("marks required fields, except fields of an answer that may be missing", () => {
    expect(toFields(endpoints.product.search.input).required).toEqual(["type", "search_key"]);
    expect(toFields(z.object({})).properties).toEqual({});
    const { required } = toFields(endpoints.category.byExternalId.data);
    expect(required).toEqual(["id", "name", "properties"]);
  });
});
