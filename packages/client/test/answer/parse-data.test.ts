import { endpoints } from "@catalog/contract";
import { describe, expect, it } from "vitest";

import { MAX_TEXT_LENGTH, parseData } from "../../src/answer.ts";

const LONG = "x".repeat(MAX_TEXT_LENGTH + 1);
const PRODUCT = { id: "p-1", product_code: "A", title: "Kaşık", price: 100, stock: 3 };

const readList = (data: unknown) => parseData(endpoints.product.list, data);

describe("the answer of a listing", () => {
  it.each([
    ["a text", "1234"],
    ["negative", -1],
    ["broken", 1.5],
    ["nothing", null],
    ["missing", undefined],
  ])("is read without its total where that is %s", (_what, total) => {
    const read = readList({ total, result: [PRODUCT], took: 3 });

    expect(read).toEqual({
      ok: true,
      data: { total: 0, result: [PRODUCT], took: 3 },
      leftOut: ["total"],
    });
  });

  it.each([
    ["a description that is no text", { description: 5 }],
    ["a title over the length limit", { title: LONG }],
    ["images that are no list", { images: "a.jpg" }],
    ["properties without their names", { properties: [{ property: 5 }, "x"] }],
  ])("is read without %s, and keeps the other products whole", (_what, odd) => {
    const other = { ...PRODUCT, id: "p-2" };
    const result = [PRODUCT, { ...PRODUCT, ...odd }, other];

    const read = readList({ total: 3, result });

    const [name = ""] = Object.keys(odd);
    const rest = Object.entries(PRODUCT).filter(([key]) => key !== name);
    expect(read).toEqual({
      ok: true,
      data: { total: 3, result: [PRODUCT, Object.fromEntries(rest), other] },
      leftOut: [name],
    });
  });

  it.each([
    ["the id", { id: 5 }, "data.result.1.id"],
    ["the code", { product_code: 5 }, "data.result.1.product_code"],
    ["the whole code", { product_code: LONG }, "data.result.1.product_code"],
    ["the price", { price: "12,50" }, "data.result.1.price"],
    ["the stock", { stock: "five" }, "data.result.1.stock"],
  ])(
    "is refused where %s of a product cannot be read, since the product must not count as absent",
    (_what, odd, path) => {
      const read = readList({ total: "2", result: [PRODUCT, { ...PRODUCT, ...odd, title: 5 }] });

      expect(read).toMatchObject({ ok: false });
      const paths = read.ok ? [] : read.misfits.map((misfit) => misfit.path);
      expect(paths).toContain(path);
      const words = read.ok ? [] : read.misfits.map((misfit) => misfit.message);
      expect(words.at(-1)).toMatch(/ \(in "(?:A|p-1)"\)$/u);
    },
  );

  it.each([[null], ["x"], [{ total: 1 }], [{ total: 1, result: {} }]])(
    "is refused where it is no page: %j",
    (data) => {
      expect(readList(data).ok).toBe(false);
    },
  );
});

describe("the answer of a call that is no listing", () => {
  it("is refused wherever it does not match the contract", () => {
    expect(parseData(endpoints.product.add, { status: "true", title: LONG }).ok).toBe(false);
  });
});
