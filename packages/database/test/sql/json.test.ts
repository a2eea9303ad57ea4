import { describe, expect, it } from "vitest";

import { fromJson, fromJsonList, toJson, toJsonList } from "../../src/sql/queries.ts";

describe("fromJson", () => {
  it("reads what was written", () => {
    const value = { text: 'İğ "quoted"\n', list: [null, 1.5, true], nested: { empty: {} } };

    expect(fromJson(toJson(value))).toEqual(value);
  });

  it("throws for a text that this package cannot have written", () => {
    expect(() => fromJson('{"cut":')).toThrow(SyntaxError);
  });
});

describe("fromJsonList", () => {
  for (const list of [[], [{ field: "title" }, null]]) {
    it(`reads a list of ${list.length} as it was written`, () => {
      expect(fromJsonList(toJsonList(list))).toEqual(list);
      expect(toJsonList(list)).toBe(toJson(list));
    });
  }
});
