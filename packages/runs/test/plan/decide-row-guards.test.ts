import { describe, expect, it } from "vitest";

import { ALL_GUARDS, type GuardName } from "../../src/guards/guard-settings.ts";
import { type Background, decideRow } from "../../src/plan/decide-row.ts";
import type { ProductChanges, StoreProduct } from "../../src/ports/product.ts";
import type { RowDecision } from "../../src/row/row-record.ts";
import { checkFakeUpdate } from "../../src/testing/fake-marketplace.ts";
import { candidate, toProductId, price } from "../../src/testing/rows.ts";

interface Situation {
  readonly shown: Partial<StoreProduct>;
  readonly wanted: ProductChanges;
  readonly in?: Partial<Background>;
}

function decideOn({ shown, wanted, in: background = {} }: Situation): RowDecision {
  const priceCell = { sheet: "Ürünler", row: 2, column: "Fiyat", cell: "C2", value: "4,00" };
  const stockCell = { ...priceCell, column: "Stok", cell: "D2" };
  const row = candidate(2, "A1", {
    changes: wanted,
    locationOf: (field) => (field === "stock" ? stockCell : priceCell),
  });
  const product = { id: toProductId("p1"), product_code: "A1", title: "Cup", ...shown };
  return decideRow(row, {
    seen: [{ codeKey: "a1", status: "approved", product }],
    known: undefined,
    sameCode: [],
    lastSent: undefined,
    priceUnit: "minor",
    mode: "upsert",
    guards: ALL_GUARDS,
    checkUpdate: checkFakeUpdate,
    ...background,
  });
}

const STANDING_DISCOUNT = { has_discount: true, discount_type: 3, discount_value: 800 };

const UNKNOWN_UNIT = { priceUnit: "unknown" } as const;
const SENT_1000 = { ...UNKNOWN_UNIT, lastSent: { price: price(1000) } };
const allow = (...names: readonly GuardName[]): Partial<Background> => ({
  guards: { ...ALL_GUARDS, allowed: new Set(names) },
});

/** Situations by name, below the decision that each one leads to. */
const CASES: Readonly<Record<string, Readonly<Record<string, Situation>>>> = {
  "held C2 E_GUARD_PRICE_DROP": {
    "holds a price that falls by 60 %, at its cell": {
      shown: { price: 1000 },
      wanted: { price: price(400) },
    },
  },
  ready: {
    "passes a price that falls by 10 %": { shown: { price: 1000 }, wanted: { price: price(900) } },
    "converts a listed price in whole currency before it compares": {
      shown: { price: 10 },
      wanted: { price: price(1100) },
      in: { priceUnit: "major" },
    },
    "passes a large stock where the store has had one like it": {
      shown: { stock: 20_000 },
      wanted: { stock_count: 999_999 },
    },
    "passes a stock that rises by much and is none too large": {
      shown: { stock: 0 },
      wanted: { stock_count: 5_000 },
    },
    "passes another currency where that is allowed": {
      shown: { price: 1000, currency: "TL" },
      wanted: { price: price(1010), currency: "EUR" },
      in: allow("currency-change"),
    },
    "passes a stock and a title while the unit of prices is unknown": {
      shown: { price: 10, stock: 3 },
      wanted: { title: "Blue cup", stock_count: 4 },
      in: UNKNOWN_UNIT,
    },
    "passes a price where the listed price is 0 in an unknown unit": {
      shown: { price: 0 },
      wanted: { price: price(1000) },
      in: UNKNOWN_UNIT,
    },
    "passes a discount of 10 % while the unit of prices is unknown": {
      shown: { price: 10 },
      wanted: { has_discount: true, discount_type: 2, discount_value: 10 },
      in: UNKNOWN_UNIT,
    },
    "passes a price in an unknown unit whose guards are all allowed": {
      shown: { price: 10 },
      wanted: { price: price(1000) },
      in: { ...UNKNOWN_UNIT, ...allow("price-drop", "price-rise", "price-scale") },
    },
    "passes a price whose guard is allowed for the run": {
      shown: { price: 1000 },
      wanted: { price: price(400) },
      in: allow("price-drop"),
    },
  },
  "held C2 E_GUARD_PRICE_SCALE": {
    "compares a price with the one sent last while the listing's unit is unknown": {
      shown: { price: 10 },
      wanted: { price: price(100_000) },
      in: SENT_1000,
    },
  },
  "held C2 E_GUARD_PRICE_UNIT": {
    ...Object.fromEntries(
      [100_000, 10_000, 1000, 900, 500, 100, 10, 1].map((wanted) => [
        `holds a price of ${wanted} where the listing shows 10 in an unknown unit`,
        { shown: { price: 10 }, wanted: { price: price(wanted) }, in: UNKNOWN_UNIT },
      ]),
    ),
    "holds the stock of a row whose price cannot be compared": {
      shown: { price: 10, stock: 3 },
      wanted: { price: price(1000), stock_count: 4 },
      in: UNKNOWN_UNIT,
    },
    "holds a discounted price that cannot be compared": {
      shown: { price: 10 },
      wanted: { has_discount: true, discount_type: 3, discount_value: 900 },
      in: UNKNOWN_UNIT,
    },
    "holds a price that we sent and that was changed since while the unit is unknown": {
      shown: { price: 77 },
      wanted: { price: price(1000) },
      in: SENT_1000,
    },
  },
  "held C2 E_GUARD_CURRENCY": {
    "holds a price in another currency than the store's, however near the number": {
      shown: { price: 1000, currency: "TL" },
      wanted: { price: price(1010), currency: "EUR" },
    },
    "holds a change of the currency alone": {
      shown: { price: 10, currency: "TL" },
      wanted: { currency: "USD" },
    },
  },
  "held D2 E_GUARD_STOCK_RISE": {
    "holds a stock that is a price or a code, and the price with it": {
      shown: { price: 1000, stock: 50 },
      wanted: { price: price(1010), stock_count: 129_990 },
    },
  },
  unchanged: {
    "finds a price unchanged that we sent and the listing still shows": {
      shown: { price: 10 },
      wanted: { price: price(1000) },
      in: SENT_1000,
    },
  },
  "held C2 E_GUARD_DISCOUNT": {
    "holds a price below the store's discounted price": {
      shown: { price: 1000, ...STANDING_DISCOUNT },
      wanted: { price: price(700) },
    },
  },
};

describe("planRow", () => {
  for (const [expected, situations] of Object.entries(CASES)) {
    it.each(Object.entries(situations))("%s", (_name, situation) => {
      const { state, issues } = decideOn(situation);

      const found = issues.map(({ cell, code }) => `${cell} ${code}`);
      expect([state, ...found].join(" ")).toBe(expected);
    });
  }

  it("keeps the body of a held update, so that a release sends what was planned", () => {
    const held = decideOn({ shown: { price: 1000 }, wanted: { price: price(400) } });

    expect(held).toMatchObject({
      action: "update",
      productId: "p1",
      payload: { product_id: "p1", price: 400 },
      changes: [{ field: "price", old: 1000, new: 400 }],
      issues: [{ guard: { guard: "price-drop", old: 1000, new: 400, percent: -60 } }],
    });
  });

  it("describes a held price in both languages, in whole currency", () => {
    const [issue] = decideOn({ shown: { price: 1000 }, wanted: { price: price(400) } }).issues;

    expect(issue?.message).toEqual({
      tr: "Fiyat 10,00 iken 4,00 olacak (−%60).",
      en: "The price would go from 10.00 to 4.00 (−60%).",
    });
    expect(issue?.suggestion?.en).toContain("--allow price-drop");
  });
});

function planHeld(code: string, priceUnit: Background["priceUnit"]): RowDecision["state"] {
  const location = { sheet: "S", row: 2, column: "Satır Kaydı", cell: "F2", value: "r-1#2" };
  const heldBefore = [{ ...location, code, message: { tr: "", en: "" } }];
  const row = candidate(2, "A1", { changes: { title: "Mug" }, heldBefore });
  const product = { id: toProductId("p1"), product_code: "A1", title: "Cup" };
  const seen = [{ codeKey: "a1", status: "approved", product }];
  const nothing = {
    known: undefined,
    sameCode: [],
    lastSent: undefined,
    priceUnit,
    checkUpdate: checkFakeUpdate,
  };
  return decideRow(row, { ...nothing, seen, mode: "upsert", guards: ALL_GUARDS }).state;
}

it("a row that a guard held before and that has not changed holds the row again where its guard cannot run", () => {
  expect(planHeld("E_GUARD_ZERO_STOCK", "minor")).toBe("held");
  expect(planHeld("E_GUARD_PRICE_DROP", "unknown")).toBe("held");
  expect(planHeld("E_GUARD_PRICE_DROP", "minor")).toBe("ready");
});
