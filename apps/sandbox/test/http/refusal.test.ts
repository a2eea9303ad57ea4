import { describe, expect, it } from "vitest";
import * as z from "zod";

import { createInputRefusal, createMissingRefusal, parseInput } from "../../src/http/refusal.ts";

describe("createInputRefusal", () => {
  it("names every field in both languages", () => {
    const refusal = createInputRefusal([
      { field: "price", message: { en: "too low", tr: "çok düşük" } },
      { field: "title", message: { en: "missing", tr: "yok" } },
    ]);

    expect(refusal).toMatchObject({
      httpStatus: 400,
      status: false,
      message: "Invalid input: price: too low; title: missing",
      messageTr: "Geçersiz girdi: price: çok düşük; title: yok",
    });
  });
});

describe("createMissingRefusal", () => {
  it("names what is missing", () => {
    expect(createMissingRefusal({ en: "Product", tr: "Ürün" })).toMatchObject({
      httpStatus: 404,
      message: "Product not found",
      messageTr: "Ürün bulunamadı",
    });
  });
});

describe("parseInput", () => {
  const schema = z.object({ ids: z.array(z.int()), name: z.string() });

  it("returns the input as the schema parses it", () => {
    expect(parseInput(schema, { ids: [1], name: "a", more: true })).toEqual({
      ids: [1],
      name: "a",
    });
  });

  it("names the path within a field", () => {
    expect(() => parseInput(schema, { ids: [1, "x"], name: "a" })).toThrow("ids.1: ");
  });

  it("names the whole input the body", () => {
    expect(() => parseInput(schema, undefined)).toThrow("Invalid input: body: ");
  });
});
