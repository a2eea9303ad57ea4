import { describe, expect, it } from "vitest";

import type { PriceUnit } from "../../src/plan/price-unit.ts";
import {
  addUnshown,
  findShownChanges,
  type ShownChange,
  type UnshownFields,
} from "../../src/plan/shown-changes.ts";
import type { ProductChanges, StoreProduct } from "../../src/ports/product.ts";
import { BRAND, price, toId, toProductId } from "../../src/testing/rows.ts";

type Shown = Partial<StoreProduct>;

const HOUR = 60 * 60_000;

interface Compared {
  readonly was: Shown;
  readonly is: Shown;
  /** Sent by a request that has ended, at 5. @default nothing */
  readonly sent?: ProductChanges;
  /** Sent by a request under way. @default nothing */
  readonly open?: ProductChanges;
  readonly unit?: PriceUnit;
  readonly afterMs?: number;
}

const toProduct = (shown: Shown): StoreProduct => ({ id: toProductId("p1"), ...shown });

function compare({ was, is, sent, open, unit = "minor", afterMs = 10 }: Compared): {
  readonly others: readonly ShownChange[];
  readonly unshown: UnshownFields;
} {
  const [before, after] = [toProduct(was), toProduct(is)];
  const by = { product: before, priceUnit: unit };
  const unshown = sent === undefined ? {} : addUnshown({}, { body: sent, atMs: 5 }, by);
  return findShownChanges(
    { status: "approved", product: before, atMs: 1 },
    { status: "approved", product: after, atMs: afterMs },
    { unshown, open: open === undefined ? [] : [open], priceUnit: unit },
  );
}

const DISCOUNT = { has_discount: true, discount_type: 2, discount_value: 10 } as const;

/** Two readings of a field, and what was sent between them that the second one shows. */
const OURS: readonly (readonly [was: Shown, is: Shown, sent: ProductChanges, unit?: PriceUnit])[] =
  [
    [{ price: 500 }, { price: 600 }, { price: price(600) }],
    [{ price: 5 }, { price: 6 }, { price: price(600) }, "major"],
    [{ price: 5 }, { price: 6 }, { price: price(600) }, "unknown"],
    [{ stock: 1 }, { stock: 0 }, { stock_count: 0 }],
    [{ currency: "TL" }, { currency: "USD" }, { currency: "USD" }],
    [{ has_discount: false }, DISCOUNT, DISCOUNT],
    [DISCOUNT, { has_discount: false }, { has_discount: false }],
    [
      DISCOUNT,
      { has_discount: true, discount_type: 3, discount_value: 4 },
      { has_discount: true, discount_type: 3, discount_value: 400 },
      "major",
    ],
    [{ brand_name: "Old" }, { brand_id: BRAND, brand_name: "New" }, { brand_id: BRAND }],
    // The store shows these in a form of its own.
    [{ title: "Cup" }, { title: "Cup of tea" }, { title: "Cup   of tea" }],
    [{ images: ["a"] }, { images: ["https://cdn/1.jpg"] }, { images: ["https://ours/1.jpg"] }],
    [{ category_name: "A" }, { category_name: "B" }, { category_id: toId("CategoryId", "c-2") }],
  ];

/** What others changed, though we sent something else. */
const OTHERS: readonly (readonly [Compared, field: string, before: unknown, after: unknown])[] = [
  [{ was: { price: 500 }, is: { price: 550 } }, "price", 500, 550],
  [{ was: { price: 500 }, is: { price: 550 }, sent: { price: price(600) } }, "price", 600, 550],
  [
    { was: { price: 5 }, is: { price: 5.5 }, sent: { price: price(600) }, unit: "major" },
    "price",
    6,
    5.5,
  ],
  [
    { was: { price: 5 }, is: { price: 5.5 }, sent: { price: price(600) }, unit: "unknown" },
    "price",
    5,
    5.5,
  ],
  [{ was: { price: 500 }, is: { price: 550 }, open: { price: price(600) } }, "price", 500, 550],
  [{ was: { stock: 5 }, is: { stock: 4 }, sent: { price: price(1) } }, "stock_count", 5, 4],
  [
    { was: { has_discount: false }, is: DISCOUNT, sent: { ...DISCOUNT, discount_value: 20 } },
    "discount_value",
    { type: 2, value: 20 },
    { type: 2, value: 10 },
  ],
  [{ was: { title: "Cup" }, is: { title: "Mug" } }, "title", "Cup", "Mug"],
  [{ was: { images: ["a"] }, is: { images: ["a", "b"] } }, "images", ["a"], ["a", "b"]],
  [{ was: {}, is: { subtitle: "new" } }, "sub_title", undefined, "new"],
];

describe("findShownChanges", () => {
  it("takes what we sent for ours, and waits for it no longer", () => {
    for (const [was, is, sent, unit = "minor"] of OURS) {
      expect(compare({ was, is, sent, unit })).toEqual({ others: [], unshown: {} });
      expect(compare({ was, is, open: sent, unit }).others).toEqual([]);
    }
  });

  it("takes any other value for a change of others, from what was there last", () => {
    for (const [compared, field, before, after] of OTHERS) {
      const { others, unshown } = compare(compared);
      expect(others).toEqual([{ field, before, after, sinceMs: expect.any(Number) }]);
      expect(Object.keys(unshown).filter((name) => name === field)).toEqual([]);
    }
  });

  it("says since when: from our request, where there was one", () => {
    const changed = { was: { price: 5 }, is: { price: 7 } };

    expect(compare(changed).others[0]?.sinceMs).toBe(1);
    expect(compare({ ...changed, sent: { price: price(6) } }).others[0]?.sinceMs).toBe(5);
  });

  it("waits a day for a value that is not shown yet", () => {
    const late = { was: { price: 5 }, is: { price: 5 }, sent: { price: price(6) } };

    expect(compare(late)).toEqual({ others: [], unshown: { price: { value: 6, atMs: 5 } } });
    expect(compare({ ...late, afterMs: 25 * HOUR })).toEqual({ others: [], unshown: {} });
  });

  it("waits for nothing that the store shows already", () => {
    const is = { id: toProductId("p1"), price: 6, stock: 2 };
    const body = { price: price(6), stock_count: 3 };

    expect(addUnshown({}, { body, atMs: 5 }, { product: is, priceUnit: "minor" })).toEqual({
      stock_count: { value: 3, atMs: 5 },
    });
  });

  it("records that the marketplace has moved a product to another list", () => {
    const product = { id: toProductId("p1") };
    const { others } = findShownChanges(
      { status: "approved", product, atMs: 1 },
      { status: "veto", product, atMs: 2 },
      { unshown: {}, open: [], priceUnit: "minor" },
    );

    expect(others).toEqual([{ field: "status", before: "approved", after: "veto", sinceMs: 1 }]);
  });
});
