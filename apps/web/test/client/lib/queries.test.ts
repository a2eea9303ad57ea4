import { describe, expect, it } from "vitest";

import {
  formatRowFilter,
  formatRunRowFilter,
  formatRunsQuery,
} from "../../../client/lib/queries.ts";

describe("formatRowFilter", () => {
  const cases = [
    [{}, ""],
    [{ show: "errors" }, "?show=errors"],
    [{ code: "E_X", text: "  şık & çanta " }, "?code=E_X&text=%C5%9F%C4%B1k+%26+%C3%A7anta"],
    [{ text: "   " }, ""],
  ] as const;
  for (const [filter, expected] of cases) {
    it(`formats ${JSON.stringify(filter)}`, () => {
      expect(formatRowFilter(filter)).toBe(expected);
    });
  }
});

describe("formatRunRowFilter", () => {
  it("names the page after the first", () => {
    expect(formatRunRowFilter({ show: "held", guard: "price", sort: "changes" }, 0)).toBe(
      "?show=held&guard=price&sort=changes",
    );
    expect(formatRunRowFilter({ field: "price" }, 200)).toBe("?field=price&after=200");
  });
});

describe("formatRunsQuery", () => {
  it("names kind, text and the page after the first", () => {
    expect(formatRunsQuery({ kind: undefined, text: "", after: "" })).toBe("");
    expect(formatRunsQuery({ kind: "undo", text: " kış ", after: "r-1" })).toBe(
      "?kind=undo&text=k%C4%B1%C5%9F&after=r-1",
    );
  });
});
