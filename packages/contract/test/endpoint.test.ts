import { describe, expect, it } from "vitest";
import * as z from "zod";

import { pageOf, pathParameters } from "../src/endpoint.ts";

describe("pageOf", () => {
  const page = pageOf(z.object({ id: z.string() }));

  it("reads a page and keeps unknown fields beside total and result", () => {
    const answer = { total: 1, result: [{ id: "a" }], took_ms: 3 };

    expect(page.parse(answer)).toEqual(answer);
  });

  it("reads an empty page", () => {
    expect(page.parse({ total: 0, result: [] })).toEqual({ total: 0, result: [] });
  });

  it.each([
    ["no total", { result: [] }],
    ["a total in text", { total: "1", result: [] }],
    ["a negative total", { total: -1, result: [] }],
    ["a broken total", { total: 1.5, result: [] }],
    ["no result", { total: 0 }],
    ["a result that is no list", { total: 1, result: { id: "a" } }],
    ["an element that does not fit", { total: 1, result: [{ id: 1 }] }],
    ["no object", null],
  ])("refuses a page that is %s", (_name, answer) => {
    expect(page.safeParse(answer).success).toBe(false);
  });
});

describe("pathParameters", () => {
  it.each([
    ["/category/", []],
    ["/product/store/:storeId", ["storeId"]],
    ["/a/:first/b/:second", ["first", "second"]],
  ])("names the parameters of %s in order", (path, expected) => {
    expect(pathParameters({ path })).toEqual(expected);
  });
});
