import { describe, expect, it } from "vitest";

import { createContentWatch } from "../../src/guards/content-watch.ts";
import { type GuardName, GUARDS } from "../../src/guards/guard-settings.ts";
import type { FieldChange, RowDecision } from "../../src/row/row-record.ts";
import { toProductId } from "../../src/testing/rows.ts";

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
      productId: toProductId("p-1"),
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
  productId: toProductId("p-1"),
  payload: null,
  issues: [],
};

const many = (count: number, toChange: (index: number) => FieldChange): readonly FieldChange[] =>
  Array.from({ length: count }, (_, index) => toChange(index));

type Values = readonly [old: unknown, next: unknown];

/** The same field of this many rows, with the values of each. */
const each = (
  count: number,
  field: string,
  values: (index: number) => Values,
): readonly FieldChange[] =>
  many(count, (index) => {
    const [old, next] = values(index);
    return { field, ...(old === undefined ? {} : { old }), new: next };
  });

const title = (old: string, next: string): FieldChange => ({ field: "title", old, new: next });

const A = (index: number | string): string => `https://a.example/${index}.jpg`;

describe("the guards over texts, ids and images", () => {
  const cases: readonly (readonly [string, readonly FieldChange[], readonly string[]])[] = [
    [
      "titles that become the words of a few questions",
      each(50, "title", (n) => [`Uzaylux Lale Serisi ${n}`, ["Beden", "Ölçü", "Renk"][n % 3]]),
      ["same-text 50/50", "short-text 50/50", "other-text 50/50"],
    ],
    [
      "one description for all",
      each(20, "description", (n) => [`Ürün ${n} iyidir.`, "Aynı uzun metin."]),
      ["same-text 20/20"],
    ],
    ["a few rows", each(19, "title", (n) => [`Uzaylux Lale ${n}`, "Beden"]), []],
    [
      "titles that get their size",
      each(40, "title", (n) => [`Lale ${n} Fincan`, `Lale ${n} Fincan 250 ml`]),
      [],
    ],
    [
      "equal titles of variants that stay equal",
      each(40, "title", () => ["Lale Fincan Takımı", "Lale Fincan Takımı 2026"]),
      [],
    ],
    [
      "few of many",
      each(100, "title", (n) => [`Lale Serisi Fincan ${n}`, n < 30 ? "X" : `Lale Fincan ${n}`]),
      [],
    ],
    [
      "a third of the brands",
      [...each(31, "brand_id", () => ["a", "b"]), ...each(69, "price", () => [1, 2])],
      ["brand-change 31/100"],
    ],
    ["categories", each(20, "category_id", () => ["a", "b"]), ["brand-change 20/20"]],
    ["a brand that was not set", each(20, "brand_id", () => [undefined, "b"]), []],
    ["removed images", each(20, "images", () => [[A(1)], []]), ["no-images 20/20"]],
    ["replaced images", each(20, "images", (n) => [[A(n)], [`https://b.example/${n}.jpg`]]), []],
    ["one image for all", each(20, "images", (n) => [[A(n)], [A("logo")]]), ["same-text 20/20"]],
    [
      "descriptions that have slipped by a row",
      each(20, "description", (n) => [
        `Ürün ${n} özgün ambalajında gönderilir.`,
        `Ürün ${n + 1} özgün ambalajında gönderilir.`,
      ]),
      ["moved-values 19/20"],
    ],
    [
      "images that have slipped by a row",
      each(20, "images", (n) => [[A(n)], [A(n + 1)]]),
      ["moved-values 19/20"],
    ],
    [
      "first images that have slipped, before others that stay",
      each(20, "images", (n) => [
        [A(n), A(`${n}-2`)],
        [A(n + 1), A(`${n}-2`)],
      ]),
      ["moved-values 19/20"],
    ],
    [
      "new second images behind first ones that stay",
      each(20, "images", (n) => [[A(n)], [A(n), A(`${n}-2`)]]),
      [],
    ],
    [
      "prices that have slipped by a row",
      each(40, "price", (n) => [1000 + n, 1001 + n]),
      ["moved-values 39/40"],
    ],
    [
      "a few prices that have slipped by a row",
      each(6, "price", (n) => [1000 + n, 1001 + n]),
      ["moved-values 5/6"],
    ],
    [
      "a few titles that have slipped by a row",
      each(6, "title", (n) => [`Lale Serisi ${n} Fincan`, `Lale Serisi ${n + 1} Fincan`]),
      ["moved-values 5/6"],
    ],
    ["a few stocks of which few differ", each(6, "stock_count", (n) => [n % 3, (n + 1) % 3]), []],
    [
      "prices without their tax",
      each(6, "price", (n) => [11_990 + 70 * n, Math.round((11_990 + 70 * n) / 1.2)]),
      ["moved-values 6/6"],
    ],
    [
      "prices that are reduced by a sixth, roughly",
      each(20, "price", (n) => [12_000 + 70 * n, 9_990 + 55 * n]),
      [],
    ],
    ["one price for all", each(20, "price", (n) => [1000 + n, 990]), ["moved-values 20/20"]],
    [
      "stocks that are a hundred times what they were",
      each(6, "stock_count", (n) => [1 + n, 100 + 100 * n]),
      ["moved-values 6/6"],
    ],
    ["one stock for all, a hundred times another", each(20, "stock_count", () => [5, 500]), []],
    ["one stock for all", each(20, "stock_count", (n) => [10 + n, 999]), []],
    ["a few common prices", each(40, "price", (n) => [990 + (n % 5), 991 + (n % 4)]), []],
    ["prices that rise", each(40, "price", (n) => [1000 + n, 1100 + 2 * n]), []],
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
    const slipped = each(40, "price", (n) => [1000 * (n + 1), 1000 * (n + 2)]);

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
    const changes = each(20, "brand_id", () => ["a", "b"]);

    expect(judge(changes, { allowed: ["brand-change"] })).toEqual([]);
    expect(judge(changes, { state: "held" })).toEqual([]);
  });
});

/** What a row and the store say of a discount, whether it changes or not. */
type Discount = readonly [old: string | undefined, next: string | undefined];

interface MovedColumn {
  readonly rows: number;
  readonly changes?: (number: number) => FieldChange | readonly FieldChange[];
  readonly discount?: (number: number) => Discount;
  /** Whether the discount of the row is refused. @default never */
  readonly isRefused?: (number: number) => boolean;
  /** Rows that are held, counted once for each field. */
  readonly held: number;
}

const ENDED = { tr: "İndirim eksik.", en: "The discount is not whole." };

function toDecision(column: MovedColumn, number: number): RowDecision {
  const { changes = () => [], discount, isRefused = () => false } = column;
  const row = number + 1;
  const decision: RowDecision = { ...READY, row, changes: [changes(number)].flat() };
  if (discount === undefined) return decision;
  const [old, next] = discount(number);
  const choices = [{ field: "discount_value", key: "discount_value", old, new: next }] as const;
  if (isRefused(number)) {
    const at = { sheet: "Ürünler", row, column: "Başlık", cell: `B${row}`, value: "" };
    const issue = { code: "E_DISCOUNT", ...at, message: ENDED, suggestion: ENDED };
    return { ...decision, state: "invalid", action: null, issues: [issue], choices };
  }
  if (next === undefined || old === next) return { ...decision, choices };
  const ended: FieldChange = { field: "has_discount", old: true, new: next !== "none" };
  return { ...decision, changes: [ended], choices };
}

/** Every third product has one of two discounts. */
const ofThree = (n: number): string => (n % 3 === 0 ? `2 ${n % 2 === 0 ? 10 : 20}` : "none");
const ofAbove = (n: number): string => (n === 1 ? "none" : ofThree(n - 1));
/** Every third product has the one discount of a campaign. */
const ofCampaign = (n: number): string => (n % 3 === 0 ? "2 10" : "none");
const MANY_DISCOUNTS = Array.from({ length: 40 }, (_, at) => `2 ${10 + ((at * at) % 11)}`);
const sorted = (n: number): string | undefined => MANY_DISCOUNTS.toSorted()[n - 1];
const stock = (old: number, next: number): FieldChange => ({
  field: "stock_count",
  old,
  new: next,
});

const MOVED: Readonly<Record<string, MovedColumn>> = {
  "titles that other products have, in no order": {
    rows: 20,
    changes: (n) =>
      title(`Lale Fincan ${n}`, `Lale Fincan ${n % 5 === 0 ? n + 100 : ((n * 7) % 20) + 1}`),
    held: 20,
  },
  "titles and subtitles that were swapped": {
    rows: 5,
    changes: (n) => [
      title(`Lale Fincan Takımı ${n}`, `Lale Fincan ${n}`),
      { field: "sub_title", old: `Lale Fincan ${n}`, new: `Lale Fincan Takımı ${n}` },
    ],
    held: 10,
  },
  "stocks that have slipped by two rows": {
    rows: 40,
    changes: (n) => stock((n * 37) % 101, ((n + 2) * 37) % 101),
    held: 40,
  },
  "stocks of one column that was sorted alone": {
    rows: 40,
    changes: (n) => stock((n * 17) % 41, n),
    held: 40,
  },
  "stocks of one column that was sorted alone, of which one was edited": {
    rows: 40,
    changes: (n) => stock((n * 17) % 41, n === 7 ? 999 : n),
    held: 40,
  },
  "stocks of a count, which are nearly what they were": {
    rows: 40,
    changes: (n) => stock((n * 17) % 41, ((n * 17) % 41) + 1),
    held: 0,
  },
  "stocks that some other product has": {
    rows: 100,
    changes: (n) => stock(n % 25, (n * 7 + 3) % 24),
    held: 0,
  },
  "discounts that have slipped by a row": {
    rows: 20,
    discount: (n) => [ofThree(n), ofAbove(n)],
    held: 12,
  },
  "slipped discounts of which the empty cells leave others as they are": {
    rows: 20,
    discount: (n) => [ofThree(n), ofAbove(n) === "none" ? undefined : ofAbove(n)],
    held: 6,
  },
  "a discount for those below a discounted product, which stays": {
    rows: 20,
    discount: (n) => [ofThree(n), n % 3 === 1 ? ofAbove(n) : ofThree(n)],
    held: 0,
  },
  "a few products that get the discount of the one above": {
    rows: 20,
    discount: (n) => [ofCampaign(n), n > 1 && n % 3 === 1 ? ofCampaign(n - 1) : undefined],
    held: 0,
  },
  "discounts of one column that was sorted alone": {
    rows: 40,
    discount: (n) => [MANY_DISCOUNTS[n - 1], sorted(n)],
    held: 31,
  },
  "discounts of one column that was sorted alone, of which one was edited": {
    rows: 40,
    discount: (n) => [MANY_DISCOUNTS[n - 1], n === 3 ? "2 7" : sorted(n)],
    held: 31,
  },
  "values of discounts that have slipped, of which few fit their kind": {
    rows: 20,
    isRefused: (n) => n > 2,
    discount: (n) => [ofThree(n), n > 2 ? undefined : "2 7"],
    held: 2,
  },
  "one discount for all": { rows: 20, discount: (n) => [ofThree(n), "2 10"], held: 0 },
};

describe("columns whose cells were moved", () => {
  it.each(Object.entries(MOVED))("holds as many rows as it must: %s", (_, column) => {
    const watch = createContentWatch();
    for (let number = 1; number <= column.rows; number += 1) {
      watch.observe(toDecision(column, number));
    }

    const found = watch.findings({ limits: GUARDS.defaults, allowed: new Set() });

    expect(found.reduce((sum, { watched }) => sum + watched.length, 0)).toBe(column.held);
  });
});
