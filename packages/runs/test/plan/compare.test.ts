import { describe, expect, it } from "vitest";

import { compareFields, losesLetters } from "../../src/plan/compare.ts";
import type { PriceUnit } from "../../src/plan/price-unit.ts";
import type { ProductChanges, StoreProduct } from "../../src/ports/product.ts";
import {
  BRAND,
  CATEGORY,
  CHOICE,
  toProductId,
  price,
  TEMPLATE,
  toId,
} from "../../src/testing/rows.ts";

type Shown = Partial<StoreProduct>;

const compare = (
  wanted: ProductChanges,
  shown: Shown,
  more: Partial<Parameters<typeof compareFields>[0]> = {},
): ReturnType<typeof compareFields> =>
  compareFields({ wanted, seen: { id: toProductId("p1"), ...shown }, priceUnit: "minor", ...more });

/** Listed fields: the wanted value, the same value as listed, and another listed value. */
const SHOWN_FIELDS: readonly (readonly [wanted: ProductChanges, same: Shown, other: Shown])[] = [
  [{ title: "Cup" }, { title: "Cup" }, { title: "cup" }],
  [{ sub_title: "A cup" }, { subtitle: "A cup" }, { subtitle: "" }],
  [{ brand_id: BRAND }, { brand_id: BRAND }, { brand_id: toId("BrandId", "brand-2") }],
  [{ description: "It holds." }, { description: "It holds." }, { description: "It leaks." }],
  [{ currency: "TL" }, { currency: "TL" }, { currency: "USD" }],
  [{ price: price(1990) }, { price: 1990 }, { price: 1991 }],
  [{ has_discount: false }, { has_discount: false }, { has_discount: true }],
  [{ discount_type: 2 }, { discount_type: 2 }, { discount_type: 1 }],
  [
    { discount_value: 10 },
    { discount_type: 2, discount_value: 10 },
    { discount_type: 2, discount_value: 11 },
  ],
  [{ stock_count: 0 }, { stock: 0 }, { stock: 1 }],
  [{ warranty_type: 1 }, { warranty_type: 1 }, { warranty_type: 2 }],
  [{ warranty_period: 24 }, { warranty_period: 24 }, { warranty_period: 12 }],
  [
    { shipping_template_id: TEMPLATE },
    { shipping_template_id: TEMPLATE },
    { shipping_template_id: toId("ShippingTemplateId", "template-2") },
  ],
  [{ images: ["a", "b"] }, { images: ["a", "b"] }, { images: ["b", "a"] }],
  [
    { properties: [CHOICE] },
    { properties: [{ ...CHOICE, property: "Colour", option: "Red" }] },
    { properties: [] },
  ],
];

/** Fields that no listing shows, with the wanted value and another one. */
const HIDDEN_FIELDS: readonly (readonly [wanted: ProductChanges, other: ProductChanges])[] = [
  [{ category_id: CATEGORY }, {}],
  [{ brand_model: "C1" }, { brand_model: "C2" }],
  [{ product_condition: "new" }, { product_condition: "used" }],
  [{ custom_order_input: true }, { custom_order_input: false }],
];

const nameOf = (wanted: ProductChanges): string => Object.keys(wanted).join();

describe("compareFields", () => {
  for (const [wanted, same, other] of SHOWN_FIELDS) {
    const field = nameOf(wanted);
    it(`finds ${field} unchanged where the listing shows the same`, () => {
      expect(compare(wanted, same)).toEqual({ changes: [], notComparable: [] });
    });

    it(`finds ${field} changed where the listing shows something else`, () => {
      const { changes, notComparable } = compare(wanted, other);

      expect(changes.map((change) => change.field)).toEqual([field]);
      expect(notComparable).toEqual([]);
    });
  }

  for (const [wanted, other] of HIDDEN_FIELDS) {
    const field = nameOf(wanted);
    it(`reports ${field} as not comparable, because no listing shows it`, () => {
      expect(compare(wanted, {})).toEqual({ changes: [], notComparable: [field] });
    });

    it(`finds ${field} unchanged when the same value was sent last`, () => {
      expect(compare(wanted, {}, { lastSent: wanted })).toEqual({ changes: [], notComparable: [] });
    });

    if (nameOf(other) === "") continue;
    it(`sends ${field} when another value was sent last`, () => {
      const [value] = Object.values(wanted);

      expect(compare(wanted, {}, { lastSent: other })).toEqual({
        changes: [{ field, new: value }],
        notComparable: [],
      });
    });
  }

  it("returns the old value beside the new one", () => {
    expect(compare({ title: "Mug", stock_count: 3 }, { title: "Cup", stock: 9 }).changes).toEqual([
      { field: "title", old: "Cup", new: "Mug" },
      { field: "stock_count", old: 9, new: 3 },
    ]);
  });

  it("returns fields in the order of the add call, whatever the order of the columns", () => {
    const { changes } = compare(
      { stock_count: 1, price: price(5), title: "Mug" },
      { title: "Cup" },
    );

    expect(changes.map(({ field }) => field)).toEqual(["title", "price"]);
  });

  it("ignores fields that are not wanted, and never compares the code", () => {
    const wanted = { product_code: "B2", title: undefined };

    expect(compare(wanted, { title: "Cup", product_code: "A1" })).toEqual({
      changes: [],
      notComparable: [],
    });
  });

  it("prefers the listed value to the value sent last", () => {
    const { changes } = compare(
      { title: "Cup" },
      { title: "Changed in the panel" },
      { lastSent: { title: "Cup" } },
    );

    expect(changes).toEqual([{ field: "title", old: "Changed in the panel", new: "Cup" }]);
  });

  it("reads null in a listing as not shown", () => {
    expect(compare({ stock_count: 3 }, { stock: null }).notComparable).toEqual(["stock_count"]);
  });
});

describe("compareFields, of prices", () => {
  const CASES: readonly (readonly [
    name: string,
    shown: Shown,
    unit: PriceUnit,
    changes: readonly unknown[],
  ])[] = [
    ["minor units", { price: 1990 }, "minor", []],
    ["whole currency", { price: 19.9 }, "major", []],
    ["whole currency that is not exact in binary", { price: 19.900000000000002 }, "major", []],
    ["minor units that differ", { price: 2000 }, "minor", [{ old: 2000 }]],
    ["whole currency that differs", { price: 20 }, "major", [{ old: 2000 }]],
    ["an unknown unit", { price: 1990 }, "unknown", [{}]],
    ["no price", { price: null }, "minor", [{}]],
  ];

  it.each(CASES)("compares a price with %s", (_name, shown, priceUnit, expected) => {
    const { changes, notComparable } = compare({ price: price(1990) }, shown, { priceUnit });

    expect(changes).toEqual(
      expected.map((old) => Object.assign({ field: "price", new: 1990 }, old)),
    );
    expect(notComparable).toEqual([]);
  });

  it("does not send a price again that was sent last while the unit is unknown", () => {
    const wanted = { price: price(1990) };

    expect(compare(wanted, { price: 19.9 }, { priceUnit: "unknown", lastSent: wanted })).toEqual({
      changes: [],
      notComparable: [],
    });
  });

  it("reads a discount amount in the price's unit and a rate as it is", () => {
    const amount = { discount_type: 1, discount_value: 500 } as const;
    const rate = { discount_type: 2, discount_value: 5 } as const;
    const major = { priceUnit: "major" } as const;

    expect(compare(amount, { discount_type: 1, discount_value: 5 }, major).changes).toEqual([]);
    expect(compare(rate, { discount_type: 2, discount_value: 5 }, major).changes).toEqual([]);
  });
});

describe("compareFields, of discounts", () => {
  const RATE = { has_discount: true, discount_type: 2, discount_value: 10 } as const;

  it("sends all discount fields for a product without a discount", () => {
    const none = { has_discount: false, discount_type: null, discount_value: false } as const;

    expect(compare(RATE, none)).toEqual({
      changes: [
        { field: "has_discount", old: false, new: true },
        { field: "discount_type", new: 2 },
        { field: "discount_value", new: 10 },
      ],
      notComparable: [],
    });
  });

  it("sends all discount fields when one of them changes", () => {
    const { changes } = compare(RATE, { ...RATE, discount_value: 15 });

    expect(changes).toEqual([
      { field: "has_discount", old: true, new: true },
      { field: "discount_type", old: 2, new: 2 },
      { field: "discount_value", old: 15, new: 10 },
    ]);
  });

  it("sends no discount field when the discount stays the same", () => {
    expect(compare(RATE, RATE)).toEqual({ changes: [], notComparable: [] });
  });

  it("removes a discount with the field has_discount alone", () => {
    expect(compare({ has_discount: false }, RATE).changes).toEqual([
      { field: "has_discount", old: true, new: false },
    ]);
  });
});

it("compareFields, of amounts in a currency that the listing does not show, sends the currency with an amount that changes, and not by itself", () => {
  const wanted = { currency: "USD", price: price(1990) } as const;

  const changed = compare(wanted, { price: 1500 });
  const same = compare(wanted, { price: 1990 });

  expect(changed.changes.map(({ field }) => field)).toEqual(["currency", "price"]);
  expect(changed.notComparable).toEqual([]);
  expect(same).toEqual({ changes: [], notComparable: ["currency"] });
});

it("compareFields, of discounts in an unknown unit, sends a discount amount that cannot be compared", () => {
  const amount = { has_discount: true, discount_type: 1, discount_value: 500 } as const;

  const { changes, notComparable } = compare(
    amount,
    { ...amount, discount_value: 5 },
    { priceUnit: "unknown" },
  );

  expect(changes.map(({ field }) => field)).toEqual(Object.keys(amount));
  expect(notComparable).toEqual([]);
});

describe("compareFields, of categories", () => {
  const wanted = { category_id: CATEGORY };

  it("finds the category unchanged when its name is the same", () => {
    const shown = { category_name: "Kupa" };

    expect(compare(wanted, shown, { categoryName: "Kupa" })).toEqual({
      changes: [],
      notComparable: [],
    });
  });

  it("returns the old category name when the category changes", () => {
    const shown = { category_name: "Tabak" };

    expect(compare(wanted, shown, { categoryName: "Kupa" }).changes).toEqual([
      { field: "category_id", old: "Tabak", new: CATEGORY },
    ]);
  });
});

it("compareFields, of a product that no listing shows, sends every field that was not sent with the same value", () => {
  const wanted = { title: "Cup", brand_model: "C1", stock_count: 3 };

  expect(
    compareFields({ wanted, lastSent: { title: "Cup", stock_count: 4 }, priceUnit: "unknown" }),
  ).toEqual({
    changes: [
      { field: "brand_model", new: "C1" },
      { field: "stock_count", new: 3 },
    ],
    notComparable: [],
  });
});

it("compareFields, of lists that cannot be read, reports images without addresses as not comparable", () => {
  expect(compare({ images: ["a"] }, { images: [{ id: 7 }] }).notComparable).toEqual(["images"]);
});

/** Returns the result of comparing two lists of images. */
function images(
  wanted: ProductChanges["images"],
  shown: readonly unknown[] | undefined,
  sent?: ProductChanges["images"],
): string {
  const seen = shown === undefined ? undefined : { id: toProductId("p1"), images: shown };
  const lastSent = sent && { images: sent };
  const input = { wanted: { images: wanted }, seen, lastSent, priceUnit: "minor" } as const;
  const { changes, notComparable } = compareFields(input);
  if (notComparable.length > 0) return "not comparable";
  return changes.length > 0 ? "changed" : "same";
}

it.each([
  ["the listing shows the list", images(["a", "b"], ["a", "b"]), "same"],
  ["the listing shows them as objects", images(["a"], [{ url: "a", order: 1 }]), "same"],
  ["strings were sent for listed objects", images([{ url: "a" }], ["a"]), "same"],
  ["the order differs", images(["a", "b"], ["b", "a"], ["b", "a"]), "changed"],
  ["the store keeps copies of what we sent", images(["a"], ["cdn/1"], ["a"]), "same"],
  ["the store keeps copies, and the list is new", images(["b"], ["cdn/1"], ["a"]), "changed"],
  ["an image was removed in the store", images(["a", "b"], ["a"], ["a", "b"]), "changed"],
  [
    "the listing shows no addresses and we sent the list",
    images(["a"], [{ id: 7 }], ["a"]),
    "same",
  ],
  ["the listed addresses are unknown", images(["a"], ["x"]), "changed"],
  ["our product is not listed yet", images(["a"], undefined, ["a"]), "same"],
])("compareFields, of images, compares image lists when %s: %s", (_, found, expected) => {
  expect(found).toBe(expected);
});

it.each([
  ["- Mangal", "'- Mangal", "same"],
  ["=2+2", "'=2+2", "same"],
  ["'- Mangal", "- Mangal", "changed"],
  ["Mangal", "'Mangal", "changed"],
] as const)(
  "takes an apostrophe before a formula for an export's: %s, %s",
  (old, next, expected) => {
    const { changes } = compare({ title: next }, { title: old });

    expect(changes).toHaveLength(expected === "same" ? 0 : 1);
  },
);

it.each([
  ["Gazlı Mangal", "Gazl? Mangal", true],
  ["Şarj Cihazı", "Şarj Cihaz?", true],
  ["Şarj Cihazı", "?arj Cihaz?, yeni", true],
  ["Sefiller", "Sefiller?", false],
  ["Neden bu ürün", "Neden bu ürün?", false],
  ["Ne? Kupa", "Ne? Bardak", false],
  ["Ne? Işık", "Ne? I??k", true],
  ["Çanta", "Canta", false],
])("sees letters that are lost: %s, %s", (old, text, isLost) => {
  expect(losesLetters(old, text)).toBe(isLost);
});
