import { brandId, categoryId } from "@catalog/contract";
import { describe, expect, it } from "vitest";

import { createMarketplaceNames, type NameCalls } from "../../src/names/name-indexes.ts";

const CATEGORY = categoryId.parse("c-1");
const BRAND = brandId.parse("b-1");

/** Calls that answer with nothing and record what was asked for. */
function recordCalls(): { readonly calls: NameCalls; readonly log: unknown[] } {
  const log: unknown[] = [];
  const listing = (name: string): { items(...given: unknown[]): AsyncIterable<never> } => ({
    async *items(...given) {
      log.push([name, ...given]);
      yield* [];
    },
  });
  return {
    log,
    calls: {
      category: {
        list: listing("category.list"),
        properties: async (...given) => {
          log.push(["category.properties", ...given]);
          return [];
        },
      },
      brand: { list: listing("brand.list"), models: listing("brand.models") },
      shippingTemplate: { list: listing("shippingTemplate.list") },
    },
  };
}

describe("createMarketplaceNames", () => {
  it("asks for each list with its ids and the signal", async () => {
    const { calls, log } = recordCalls();
    const { signal } = new AbortController();
    const names = createMarketplaceNames(calls, { signal });

    await names.categories();
    await names.brands(CATEGORY);
    await names.models(CATEGORY, BRAND);
    await names.properties(CATEGORY);
    await names.shippingTemplates();

    expect(log).toEqual([
      ["category.list", {}, { signal }],
      ["brand.list", { category_id: "c-1" }, { signal }],
      ["brand.models", { category_id: "c-1", brand_id: "b-1" }, { signal }],
      ["category.properties", { categoryId: "c-1" }, { signal }],
      ["shippingTemplate.list", {}, { signal }],
    ]);
  });
});
