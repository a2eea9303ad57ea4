import { endpoints } from "@catalog/contract";
import { describe, expect, it } from "vitest";

import { createSandboxCatalog } from "../../src/index.ts";
import { assertProductFits, createSeedProducts } from "../../src/products/product-state.ts";

const catalog = createSandboxCatalog();
const filled = createSeedProducts({ catalog, count: 200, nowMs: 1_000_000_000 });

describe("createSeedProducts", () => {
  it("creates products that the add call accepts", () => {
    for (const { product } of filled) {
      expect(endpoints.product.add.input.parse(product)).toEqual(product);
      expect(() => assertProductFits(catalog, product, product)).not.toThrow();
    }
  });

  it("numbers the codes from one", () => {
    const codes = filled.map(({ product }) => product.product_code);

    expect([codes[0], codes[199], new Set(codes).size]).toEqual(["SBX-000001", "SBX-000200", 200]);
  });

  it("creates 80 % approved, 15 % passive and 5 % veto products", () => {
    const statuses = Object.groupBy(filled, ({ status }) => status);

    expect(statuses.approved).toHaveLength(160);
    expect(statuses.passive).toHaveLength(30);
    expect(statuses.veto).toHaveLength(10);
  });

  it("spreads products over time and over many categories", () => {
    const moments = filled.map(({ addedAtMs }) => addedAtMs);
    const categories = new Set(filled.map(({ product }) => product.category_id));

    expect(moments).toEqual([...new Set(moments)].toSorted((a, b) => a - b));
    expect(moments.at(-1)).toBeLessThan(1_000_000_000);
    expect(categories.size).toBeGreaterThan(100);
  });

  it("creates the same products for the same count", () => {
    expect(createSeedProducts({ catalog, count: 200, nowMs: 1_000_000_000 })).toEqual(filled);
  });
});
