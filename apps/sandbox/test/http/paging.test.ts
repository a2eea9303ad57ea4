import { describe, expect, it } from "vitest";

import { toPage } from "../../src/http/refusal.ts";

const items = Array.from({ length: 45 }, (_, index) => index);

describe("toPage", () => {
  it("returns twenty items of the first page by default", () => {
    expect(toPage(items, {})).toEqual({ total: 45, result: items.slice(0, 20) });
  });

  it("returns a shorter last page and empty ones after it", () => {
    expect(toPage(items, { page: 3 }).result).toEqual([40, 41, 42, 43, 44]);
    expect(toPage(items, { page: 4 })).toEqual({ total: 45, result: [] });
  });

  it.each([1, 7, 45, 50])("returns every item once in pages of %i", (limit) => {
    const pages = Array.from({ length: Math.ceil(45 / limit) }, (_, index) =>
      toPage(items, { limit, page: index + 1 }),
    );

    expect(pages.flatMap(({ result }) => result)).toEqual(items);
  });
});
