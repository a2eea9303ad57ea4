import { idSchemas } from "@catalog/contract";
import { describe, expect, it } from "vitest";

import { createContentWatch } from "../../src/guards/content-watch.ts";
import { type GuardName, GUARDS } from "../../src/guards/guard-settings.ts";
import type { FieldChange, RowDecision } from "../../src/row/row-record.ts";

/** The guards that the changes of a plan trip, with their counts. */
function judge(
  changes: readonly (FieldChange | readonly FieldChange[])[],
  {
    allowed = [],
    state = "ready",
  }: { allowed?: readonly GuardName[]; state?: "ready" | "held" } = {},
): readonly string[] {
  const watch = createContentWatch();
  for (const [index, change] of changes.entries()) {
    const row = index + 2;
    const decision: RowDecision = {
      row,
      state,
      action: "update",
      productId: idSchemas.product.parse("p-1"),
      payload: null,
      changes: [change].flat(),
      issues: [],
    };
    watch.observe(decision);
  }
  return watch
    .findings({ limits: GUARDS.defaults, allowed: new Set(allowed) })
    .map(({ guard, changed, rows }) => `${guard} ${changed}/${rows}`);
}

const READY: Omit<RowDecision, "row" | "changes"> = {
  state: "ready",
  action: "update",
  productId: idSchemas.product.parse("p-1"),
  payload: null,
  issues: [],
};

const many = (count: number, toChange: (index: number) => FieldChange): readonly FieldChange[] =>
  Array.from({ length: count }, (_, index) => toChange(index));

const title = (old: string, next: string): FieldChange => ({ field: "title", old, new: next });

describe("the guards over texts, ids and images", () => {
  const cases: readonly (readonly [string, readonly FieldChange[], readonly string[]])[] = [
    [
      "titles that become the words of a few questions",
      many(50, (index) =>
        title(`Uzaylux Lale Serisi ${index}`, ["Beden", "Ölçü", "Renk"][index % 3] ?? ""),
      ),
      ["same-text 50/50", "short-text 50/50", "other-text 50/50"],
    ],
    [
      "one description for all",
      many(20, (index) => ({
        field: "description",
        old: `Ürün ${index} iyidir.`,
        new: "Aynı uzun metin.",
      })),
      ["same-text 20/20"],
    ],
    ["a few rows", many(19, (index) => title(`Uzaylux Lale ${index}`, "Beden")), []],
    [
      "titles that get their size",
      many(40, (index) => title(`Lale ${index} Fincan`, `Lale ${index} Fincan 250 ml`)),
      [],
    ],
    [
      "equal titles of variants that stay equal",
      many(40, () => title("Lale Fincan Takımı", "Lale Fincan Takımı 2026")),
      [],
    ],
    [
      "few of many",
      many(100, (index) =>
        title(`Lale Serisi Fincan ${index}`, index < 30 ? "X" : `Lale Fincan ${index}`),
      ),
      [],
    ],
    [
      "a third of the brands",
      many(100, (index) =>
        index < 31 ? { field: "brand_id", old: "a", new: "b" } : { field: "price", old: 1, new: 2 },
      ),
      ["brand-change 31/100"],
    ],
    [
      "categories",
      many(20, () => ({ field: "category_id", old: "a", new: "b" })),
      ["brand-change 20/20"],
    ],
    ["a brand that was not set", many(20, () => ({ field: "brand_id", new: "b" })), []],
    [
      "removed images",
      many(20, () => ({ field: "images", old: ["https://a.example/1.jpg"], new: [] })),
      ["no-images 20/20"],
    ],
    [
      "replaced images",
      many(20, (index) => ({
        field: "images",
        old: [`https://a.example/${index}.jpg`],
        new: [`https://b.example/${index}.jpg`],
      })),
      [],
    ],
    [
      "one image for all",
      many(20, (index) => ({
        field: "images",
        old: [`https://a.example/${index}.jpg`],
        new: ["https://a.example/logo.jpg"],
      })),
      ["same-text 20/20"],
    ],
    [
      "descriptions that have slipped by a row",
      many(20, (index) => ({
        field: "description",
        old: `Ürün ${index} özgün ambalajında gönderilir.`,
        new: `Ürün ${index + 1} özgün ambalajında gönderilir.`,
      })),
      ["moved-values 19/20"],
    ],
    [
      "images that have slipped by a row",
      many(20, (index) => ({
        field: "images",
        old: [`https://a.example/${index}.jpg`],
        new: [`https://a.example/${index + 1}.jpg`],
      })),
      ["moved-values 19/20"],
    ],
    [
      "first images that have slipped, before others that stay",
      many(20, (index) => ({
        field: "images",
        old: [`https://a.example/${index}.jpg`, `https://a.example/${index}-2.jpg`],
        new: [`https://a.example/${index + 1}.jpg`, `https://a.example/${index}-2.jpg`],
      })),
      ["moved-values 19/20"],
    ],
    [
      "new second images behind first ones that stay",
      many(20, (index) => ({
        field: "images",
        old: [`https://a.example/${index}.jpg`],
        new: [`https://a.example/${index}.jpg`, `https://a.example/${index}-2.jpg`],
      })),
      [],
    ],
    [
      "prices that have slipped by a row",
      many(40, (index) => ({ field: "price", old: 1000 + index, new: 1001 + index })),
      ["moved-values 39/40"],
    ],
    [
      "a few prices that have slipped by a row",
      many(6, (index) => ({ field: "price", old: 1000 + index, new: 1001 + index })),
      ["moved-values 5/6"],
    ],
    [
      "a few titles that have slipped by a row",
      many(6, (index) => title(`Lale Serisi ${index} Fincan`, `Lale Serisi ${index + 1} Fincan`)),
      ["moved-values 5/6"],
    ],
    [
      "a few stocks of which few differ",
      many(6, (index) => ({ field: "stock_count", old: index % 3, new: (index + 1) % 3 })),
      [],
    ],
    [
      "prices without their tax",
      many(6, (index) => ({
        field: "price",
        old: 11_990 + 70 * index,
        new: Math.round((11_990 + 70 * index) / 1.2),
      })),
      ["moved-values 6/6"],
    ],
    [
      "prices that are reduced by a sixth, roughly",
      many(20, (index) => ({ field: "price", old: 12_000 + 70 * index, new: 9_990 + 55 * index })),
      [],
    ],
    [
      "one price for all",
      many(20, (index) => ({ field: "price", old: 1000 + index, new: 990 })),
      ["moved-values 20/20"],
    ],
    [
      "stocks that are a hundred times what they were",
      many(6, (index) => ({ field: "stock_count", old: 1 + index, new: 100 + 100 * index })),
      ["moved-values 6/6"],
    ],
    [
      "one stock for all, a hundred times another",
      many(20, () => ({ field: "stock_count", old: 5, new: 500 })),
      [],
    ],
    [
      "one stock for all",
      many(20, (index) => ({ field: "stock_count", old: 10 + index, new: 999 })),
      [],
    ],
    [
      "a few common prices",
      many(40, (index) => ({ field: "price", old: 990 + (index % 5), new: 991 + (index % 4) })),
      [],
    ],
    [
      "prices that rise",
      many(40, (index) => ({ field: "price", old: 1000 + index, new: 1100 + 2 * index })),
      [],
    ],
  ];
  for (const [what, changes, expected] of cases) {
    it(`says of ${what}: ${expected.join(", ") || "nothing"}`, () => {
      expect(judge(changes)).toEqual(expected);
    });
  }

  it("counts each field by itself, and a row once for it", () => {
    const both = many(100, () => title("Lale Serisi Fincan", "Lale Serisi Fincan 250 ml")).map(
      (change, index): readonly FieldChange[] => {
        if (index >= 20) return [change];
        const moved = { old: "a", new: "b" };
        const text = { field: "sub_title", old: `Porselen, ${index} parça, kutulu`, new: "Yeni" };
        return [text, { field: "brand_id", ...moved }, { field: "category_id", ...moved }];
      },
    );

    expect(judge(both)).toEqual(["same-text 20/20", "short-text 20/20"]);
  });

  it("holds all rows of a field whose values have slipped, also those that look right", () => {
    const watch = createContentWatch();
    for (const [index, change] of many(40, (at) =>
      title(`Lale Serisi ${at} Fincan`, at === 7 ? "Gül Tabak" : `Lale Serisi ${at + 1} Fincan`),
    ).entries()) {
      watch.observe({ ...READY, row: index + 2, changes: [change] });
    }

    const [found] = watch.findings({ limits: GUARDS.defaults, allowed: new Set() });

    expect([found?.guard, found?.changed, found?.watched.length]).toEqual(["moved-values", 38, 40]);
  });

  it("counts prices that a guard holds, which show as well that rows have slipped", () => {
    const slipped = many(40, (index) => ({
      field: "price",
      old: 1000 * (index + 1),
      new: 1000 * (index + 2),
    }));

    expect(judge(slipped, { state: "held" })).toEqual(["moved-values 39/40"]);
  });

  it.each([
    ["ready", 800, 40],
    ["held", 800, 40],
    ["ready", 800, 3],
    ["ready", 812, 40],
  ] as const)(
    "sees columns of stock and price that were swapped: %s, %i, %i",
    (state, price, length) => {
      const swapped = Array.from({ length }, (_, index): readonly FieldChange[] => [
        { field: "stock_count", old: 8 + index * index, new: 5607 + 3 * index },
        { field: "price", old: 560_790 + 300 * index, new: price + 100 * index * index },
      ]);

      expect(judge(swapped, { state })).toEqual(
        price === 800 ? Array.from({ length: 2 }, () => `moved-values ${length}/${length}`) : [],
      );
    },
  );

  it("lets pass what is allowed, and counts no row that waits for a person", () => {
    const changes = many(20, () => ({ field: "brand_id", old: "a", new: "b" }));

    expect(judge(changes, { allowed: ["brand-change"] })).toEqual([]);
    expect(judge(changes, { state: "held" })).toEqual([]);
  });
});
