import fc from "fast-check";
import { describe, expect, it } from "vitest";

import { ALL_GUARDS } from "../../src/guards/guard-settings.ts";
import { type Background, decideRow } from "../../src/plan/decide-row.ts";
import type { ProductChanges, StoreProduct } from "../../src/ports/product.ts";
import type { CandidateRow, RowBasis, RowDecision } from "../../src/row/row-record.ts";
import { checkFakeUpdate } from "../../src/testing/fake-marketplace.ts";
import { candidate, price, toId, toProductId } from "../../src/testing/rows.ts";

const BASIS: StoreProduct = {
  id: toProductId("p1"),
  product_code: "A1",
  title: "Cup",
  subtitle: "A cup",
  category_name: "Cups",
  price: 6_500,
  currency: "TL",
  stock: 4,
  has_discount: true,
  discount_type: 2,
  discount_value: 10,
  images: ["https://cdn.example/1.jpg", "https://cdn.example/2.jpg"],
  properties: [
    { property_id: toId("PropertyId", "colour"), option_id: toId("PropertyOptionId", "red") },
  ],
};

/** The cells of the row as they were made of the basis. */
const CELLS: ProductChanges = {
  title: "Cup",
  sub_title: "A cup",
  price: price(6_500),
  has_discount: true,
  discount_type: 2,
  discount_value: 10,
  stock_count: 4,
};

/** A discount is changed as a whole. */
const discount = (rate: number): ProductChanges => ({
  has_discount: true,
  discount_type: 2,
  discount_value: rate,
});

interface Situation {
  /** What the person has changed. */
  readonly edits?: ProductChanges;
  /** What others have changed in the store. */
  readonly now?: Partial<StoreProduct> | "gone";
  readonly basis?: Partial<RowBasis>;
  readonly row?: Partial<CandidateRow>;
  readonly in?: Partial<Background>;
}

function decide({ edits = {}, now = {}, basis, row, in: background }: Situation): RowDecision {
  const product = now === "gone" ? undefined : { ...BASIS, ...now };
  const own = { product: BASIS, priceUnit: "minor", ...basis } as const;
  const changes = { ...CELLS, ...edits };
  const given = { productId: toProductId("p1"), changes, categoryName: "Cups", basis: own, ...row };
  return decideRow(candidate(2, "A1", given), {
    seen: product === undefined ? [] : [{ codeKey: "a1", status: "approved", product }],
    known: undefined,
    sameCode: [],
    lastSent: undefined,
    priceUnit: "minor",
    mode: "update",
    guards: ALL_GUARDS,
    checkUpdate: checkFakeUpdate,
    ...background,
  });
}

/** The state of a decision, the fields that it sends, and those that others have changed. */
function inWords({ state, payload, overtaken = [], issues }: RowDecision): string {
  const sent = Object.keys(payload ?? {}).filter((field) => field !== "product_id");
  const others = overtaken.map(({ field }) => `!${field}`);
  return [state, sent.join("+"), ...others, ...issues.map(({ code }) => code)]
    .filter(Boolean)
    .join(" ");
}

const TITLE = { edits: { title: "Mug" } };
const URL = "https://cdn.example/3.jpg";
const OPTION = toId("PropertyOptionId", "blue");
const COLOUR = { property_id: toId("PropertyId", "colour"), option_id: OPTION };

const situations: readonly (readonly [string, Situation, string])[] = [
  ["no edit", {}, "unchanged"],
  ["no edit, and changes of others", { now: { title: "Theirs", stock: 1, price: 1 } }, "unchanged"],
  ["an edit", TITLE, "ready title"],
  ["an edit beside changes of others", { ...TITLE, now: { stock: 1, price: 1 } }, "ready title"],
  ["an edit that others have made too", { ...TITLE, now: { title: "Mug" } }, "unchanged"],
  ["a field that others changed", { ...TITLE, now: { title: "Theirs" } }, "held title !title"],
  [
    "one of two edited fields changed by others",
    { edits: { title: "Mug", stock_count: 9 }, now: { stock: 7 } },
    "held title+stock_count !stock_count",
  ],
  [
    "a discount, sent as a whole",
    { edits: discount(20) },
    "ready has_discount+discount_type+discount_value",
  ],
  [
    "a discount that others changed",
    { edits: discount(20), now: { discount_value: 15 } },
    "held has_discount+discount_type+discount_value !discount_value",
  ],
  [
    "a discount that others ended",
    { edits: discount(20), now: { has_discount: false, discount_type: 0, discount_value: null } },
    "held has_discount+discount_type+discount_value !has_discount !discount_type !discount_value",
  ],
  [
    "a price whose currency others changed",
    { edits: { price: price(7_000) }, now: { currency: "USD" } },
    "held price !currency",
  ],
  [
    "a price in an unknown unit, changed by others",
    {
      edits: { price: price(7_000) },
      now: { price: 66 },
      basis: { product: { ...BASIS, price: 65 }, priceUnit: "unknown" },
      in: { priceUnit: "unknown" },
    },
    "held price !price E_GUARD_PRICE_UNIT",
  ],
  ["no edit, where the unit was set otherwise since", { in: { priceUnit: "major" } }, "unchanged"],
  [
    "images that others changed, and no edit",
    { row: { keepsImages: true, changes: { images: [...toUrls(1, 2)] } }, now: { images: [URL] } },
    "unchanged",
  ],
  [
    "an image that was edited",
    { row: { keepsImages: true, changes: { images: [URL, ...toUrls(2)] } } },
    "ready images",
  ],
  [
    "an image that was edited, of images that others changed",
    { row: { keepsImages: true, changes: { images: [URL] } }, now: { images: [...toUrls(7)] } },
    "held images !images",
  ],
  [
    "a property that was edited",
    { row: { changes: { properties: [COLOUR] } } },
    "ready properties",
  ],
  ["a product that is gone", { ...TITLE, now: "gone" }, "invalid E_PRODUCT_UNKNOWN"],
  [
    "a product that is gone, found by its code",
    { ...TITLE, now: "gone", row: { productId: null }, in: { mode: "upsert" } },
    "invalid E_PRODUCT_UNKNOWN",
  ],
  [
    "a product of ours that no listing shows any more",
    {
      ...TITLE,
      now: "gone",
      in: {
        known: { codeKey: "a1", state: "done", runId: "r-0", row: 9, productId: BASIS.id },
      },
    },
    "held title E_CHANGED",
  ],
  [
    "a row whose person names another product",
    {
      row: { productId: toProductId("p2") },
      in: {
        seen: [
          {
            codeKey: "a1",
            status: "approved",
            product: { ...BASIS, id: toProductId("p2"), title: "Other" },
          },
        ],
      },
    },
    "ready title",
  ],
  [
    "a cell with its first value again, after it was sent",
    { basis: { sent: { title: "Mug" } }, now: { title: "Mug" } },
    "ready title",
  ],
  [
    "a cell that was sent, and that others have changed since",
    { ...TITLE, basis: { sent: { title: "Mug" } }, now: { title: "Theirs" } },
    "held title !title",
  ],
  [
    "a discount that was sent, and that others have changed since",
    { edits: discount(30), basis: { sent: discount(20) }, now: { discount_value: 25 } },
    "held has_discount+discount_type+discount_value !discount_value",
  ],
  [
    "a discount that was sent, and is changed once more",
    { edits: discount(30), basis: { sent: discount(20) }, now: { discount_value: 20 } },
    "ready has_discount+discount_type+discount_value",
  ],
  [
    "a retried row, of which only the fields of its request are wanted",
    {
      edits: { title: "Mug", stock_count: 9 },
      basis: { product: { ...BASIS, stock: 5 }, fields: ["title"] },
      now: { stock: 5 },
    },
    "ready title",
  ],
];

function toUrls(...numbers: readonly number[]): readonly string[] {
  return numbers.map((number) => `https://cdn.example/${number}.jpg`);
}

describe("a row that was made of a product", () => {
  it.each(situations)("decides: %s", (_name, situation, expected) => {
    expect(inWords(decide(situation))).toBe(expected);
  });

  it("returns the three values of a field that others have changed, prices in minor units", () => {
    const { overtaken, changes } = decide({
      edits: { price: price(7_000) },
      now: { price: 6_600 },
    });

    expect(overtaken).toEqual([{ field: "price", old: 6_500, now: 6_600, new: 7_000 }]);
    expect(changes).toEqual([{ field: "price", old: 6_600, new: 7_000 }]);
  });
});

interface Both {
  readonly wanted: (value: number) => ProductChanges;
  readonly listed: (value: number) => Partial<StoreProduct>;
}

/** Fields that a person and others may change, each to one of four values; 0 is that of the basis. */
const FIELDS: Readonly<Record<string, Both>> = {
  title: {
    wanted: (value) => ({ title: value === 0 ? "Cup" : `Mug ${value}` }),
    listed: (value) => ({ title: value === 0 ? "Cup" : `Mug ${value}` }),
  },
  sub_title: {
    wanted: (value) => ({ sub_title: value === 0 ? "A cup" : `A mug ${value}` }),
    listed: (value) => ({ subtitle: value === 0 ? "A cup" : `A mug ${value}` }),
  },
  stock_count: {
    wanted: (value) => ({ stock_count: 4 + value }),
    listed: (value) => ({ stock: 4 + value }),
  },
  price: {
    wanted: (value) => ({ price: price(6_500 + value) }),
    listed: (value) => ({ price: 6_500 + value }),
  },
  discount_value: {
    wanted: (value) => discount(10 + value),
    listed: (value) => ({ discount_value: 10 + value }),
  },
};

const values = fc.record(
  Object.fromEntries(Object.keys(FIELDS).map((field) => [field, fc.nat({ max: 3 })])),
);

const whole = (field: string): readonly string[] =>
  field === "discount_value" ? ["has_discount", "discount_type", "discount_value"] : [field];

it("sends what was edited and nothing else, and holds what others have changed otherwise", () => {
  fc.assert(
    fc.property(values, values, (mine, theirs) => {
      const edits: ProductChanges = {};
      const now: Partial<StoreProduct> = {};
      for (const [field, { wanted, listed }] of Object.entries(FIELDS)) {
        Object.assign(edits, wanted(mine[field] ?? 0));
        Object.assign(now, listed(theirs[field] ?? 0));
      }

      const decision = decide({ edits, now });

      const isEdited = (field: string): boolean => (mine[field] ?? 0) !== 0;
      const sent = Object.keys(FIELDS).filter((one) => isEdited(one) && mine[one] !== theirs[one]);
      const overtaken = sent.filter((field) => theirs[field] !== 0);
      const state = sent.length === 0 ? "unchanged" : overtaken.length > 0 ? "held" : "ready";
      expect(decision.state).toBe(state);
      const fields = Object.keys(decision.payload ?? {}).filter((name) => name !== "product_id");
      expect(new Set(fields)).toEqual(new Set(sent.flatMap(whole)));
      expect((decision.overtaken ?? []).map(({ field }) => field).toSorted()).toEqual(
        overtaken.toSorted(),
      );
    }),
  );
});
